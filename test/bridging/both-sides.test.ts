import * as fs from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memoryFile, type World, world } from './world.ts'

/** What can happen to memory between two runs, on this side and elsewhere. Each line is new, so that it can be followed. */
type Step =
  | { readonly kind: 'agent adds' | 'elsewhere adds'; readonly file: string; readonly end: 'top' | 'bottom' }
  | { readonly kind: 'agent removes'; readonly file: string; readonly which: number }
  | { readonly kind: 'agent moves' | 'agent copies'; readonly file: string }
  | { readonly kind: 'prepare' | 'commit' }

const file = fc.constantFrom('a', 'b', 'Two Words')
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('agent adds' as const, 'elsewhere adds' as const),
    file,
    end: fc.constantFrom('top' as const, 'bottom' as const),
  }),
  fc.record({ kind: fc.constant('agent removes' as const), file, which: fc.nat(5) }),
  fc.record({ kind: fc.constantFrom('agent moves' as const, 'agent copies' as const), file }),
  fc.record({ kind: fc.constantFrom('prepare' as const, 'commit' as const) }),
)

/** The file of the mirror that carries a name: an agent may have put it anywhere. */
function find(w: World, name: string): string | undefined {
  const paths = fs.existsSync(w.tree.tracks.memory) ? fs.readdirSync(w.tree.tracks.memory).map((entry) => `memory/${entry}`) : []
  return paths.find((path) => w.read(path).includes(`name: ${name}\n`))
}

const bodyOf = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('- '))

it('whatever an agent and others do: every line is in the store once, unless the agent removed it', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const w = await world()
      let number = 0
      const added = new Map<string, string>()
      const removed = new Set<string>()
      const newLine = (name: string): string => {
        const line = `- line ${number++}`
        added.set(line, name)
        return line
      }
      const put = (lines: string[], line: string, end: 'top' | 'bottom'): string[] => (end === 'top' ? [line, ...lines] : [...lines, line])
      const take = async (one: Step): Promise<void> => {
        if (one.kind === 'commit') await w.commit()
        if (one.kind === 'prepare') {
          w.session(`s${number++}`, ['hello'])
          await w.prepare()
        }
        if (!('file' in one)) return
        const name = one.file
        const path = find(w, name)
        const lines = path === undefined ? [] : bodyOf(w.read(path))
        if (one.kind === 'elsewhere adds') {
          const stored = bodyOf((await w.stored('memory', name)) ?? '')
          await w.store('memory', name, put(stored, newLine(name), one.end).join('\n'), `notes on ${name}`)
        }
        if (one.kind === 'agent adds') w.write(path ?? `memory/${name}.md`, memoryFile(name, ...put(lines, newLine(name), one.end)))
        if (path === undefined) return
        if (one.kind === 'agent moves') fs.renameSync(`${w.tree.base}/${path}`, `${w.tree.base}/memory/moved-${number++}.md`)
        if (one.kind === 'agent copies') w.write(`memory/copy-${number++}.md`, w.read(path))
        if (one.kind === 'agent removes' && lines.length > 1) {
          const line = lines[one.which % lines.length] ?? ''
          w.write(path, memoryFile(name, ...lines.filter((other) => other !== line)))
          removed.add(line)
        }
      }
      try {
        for (const one of steps) await take(one)
        await w.commit()
        await take({ kind: 'prepare' })
        expect(await w.commit()).toMatchObject({ created: [], updated: [], forgotten: [], problems: [], refused: [] })
        const { files } = JSON.parse(w.read('.memory_manifest.json')) as { files: Record<string, { base: string }> }
        const snapshot = fs.existsSync(w.tree.snapshot) ? fs.readdirSync(w.tree.snapshot) : []
        expect(snapshot.sort()).toEqual([...new Set(Object.values(files).map(({ base }) => base))].sort())
        const found: string[] = []
        for (const name of ['a', 'b', 'Two Words'])
          found.push(...bodyOf((await w.stored('memory', name)) ?? '').map((line) => `${name} ${line}`))
        expect(new Set(found).size).toBe(found.length)
        const lost = [...added].filter(([line, name]) => !removed.has(line) && !found.includes(`${name} ${line}`))
        expect(lost).toEqual([])
        for (const entry of found) expect(added.has(entry.slice(entry.indexOf('- ')))).toBe(true)
        if (!steps.some(({ kind }) => kind === 'agent copies'))
          for (const line of removed) expect(found).not.toContain(`${added.get(line)} ${line}`)
      } finally {
        await w.end()
      }
    }),
    { numRuns: 50 },
  )
})
