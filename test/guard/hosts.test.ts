/** The loop guard over the logs of every host, through whole runs: what memU put into a session never comes back out of it. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { BridgingDeps } from '../../src/bridging/bridging-deps.ts'
import { commit } from '../../src/bridging/commit.ts'
import { markDone } from '../../src/bridging/done.ts'
import { layout } from '../../src/bridging/layout.ts'
import { prepare } from '../../src/bridging/prepare.ts'
import { ownNonce } from '../../src/guard/nonce.ts'
import { marks, runMark, wrap } from '../../src/guard/tag.ts'
import { openLocal } from '../../src/memory/open.ts'
import { hostWorld } from '../contract/host/world.ts'
import type { HostLogFixture, LogEvent } from '../contract/host-log.ts'
import { hostLogs, logName } from '../contract/host-logs.ts'
import { fakeEmbedder } from '../helpers/fake-embedder.ts'

/** What memory says; no slice may hold it. */
const RECALLED = 'deploys of the shop run on Fridays'

interface Guarded {
  readonly nonce: string
  readonly base: string
  append(...events: LogEvent[]): void
  /** One run; the texts of all its slices, conversation and tools. */
  run(): Promise<string[]>
}

async function guarded(fixture: HostLogFixture): Promise<Guarded> {
  count = 0
  const w = await hostWorld(fixture)
  fs.mkdirSync(w.system.home, { recursive: true }) // The nonce is kept in it.
  const base = join(w.scratch, 'a tree elsewhere')
  const backend = await openLocal({ db: ':memory:', embedder: fakeEmbedder() })
  onTestFinished(() => backend.close())
  const deps: BridgingDeps = { system: w.system, spec: { ...fixture.spec, baseDir: () => base }, backend: async () => backend }
  const tree = layout(fixture.spec.host, base)
  return {
    nonce: ownNonce(w.system.home),
    base,
    append: (...events) => w.log.append(w.first, events),
    async run() {
      const report = await prepare({ sessionDir: w.log.sessionDir }, deps)
      expect(report.problems).toEqual([])
      const texts = report.sessions.flatMap(({ number }) => sliceTexts(join(tree.sessions, `${number}_full.jsonl`)))
      for (const job of report.jobs) markDone(tree, job.number)
      await commit({ onlyMarked: true }, deps)
      return texts
    },
  }
}

function sliceTexts(path: string): string[] {
  const [, ...lines] = fs.readFileSync(path, 'utf8').trimEnd().split('\n')
  return lines.map((line) => (JSON.parse(line) as { text: string }).text)
}

/** Numbers begin anew in each test. */
let count = 0
const event = (kind: LogEvent['kind'], text: string, number = ++count): LogEvent => ({ kind, number, text })
/** A call and its result, which share a number. */
const calls = (command: string, output: string): [LogEvent, LogEvent] => {
  const number = ++count
  return [event('call', command, number), event('result', output, number)]
}

describe.each((await hostLogs()).map((fixture) => [logName(fixture), fixture] as const))('of %s', (_, fixture) => {
  it('no injected block is mined, raw, escaped or cut off, and the words around it are', async () => {
    const w = await guarded(fixture)
    const block = wrap(`- ${RECALLED}`, w.nonce)
    w.append(
      event('user', `${block}\n\nfix the build`),
      event('assistant', `I see <b>${block.replaceAll('<', '&lt;')}</b> there`),
      ...calls(`printf %s '${JSON.stringify(block)}'`, JSON.stringify({ output: block })),
      event('user', `and the tests\n${block.slice(0, -10)}`),
      event('assistant', 'done'),
    )
    const texts = await w.run()
    expect(texts.join('\n')).not.toContain('Fridays')
    for (const words of ['fix the build', 'I see <b>', 'and the tests', 'done']) expect(texts.join('\n')).toContain(words)
  })

  it('neither our commands nor reads of our files are mined, with their results; others are', async () => {
    const w = await guarded(fixture)
    w.append(
      event('user', 'when do we deploy?'),
      ...calls(`memu-${fixture.spec.host} retrieve "deploy"`, RECALLED),
      ...calls(`bash -lc "cd / && npx memu retrieve 'deploy' | head -3"`, RECALLED),
      ...calls('cat ~/.memu/view/memory/shop.md', RECALLED),
      ...calls(`head -20 '${w.base}/memory/shop.md'`, RECALLED),
      ...calls('grep -rn "memu retrieve" docs', 'docs/a.md: run memu retrieve'),
      event('assistant', 'on Friday, I think'),
    )
    const texts = await w.run()
    expect(texts.filter((text) => text.includes(RECALLED) || /npx|head|cat ~/.test(text))).toEqual([])
    expect(texts[0]).toContain('when do we deploy?')
    expect(texts.at(-1)).toContain('on Friday, I think')
    if (!fixture.lacks?.calls) expect(texts.join('\n')).toContain('grep -rn')
    if (!fixture.lacks?.results) expect(texts.join('\n')).toContain('docs/a.md: run memu retrieve')
  })

  it('a result that comes after a run is known by the call of before', async () => {
    const w = await guarded(fixture)
    const [call, result] = calls('memu retrieve deploy', RECALLED)
    w.append(event('user', 'when do we deploy?'), call)
    expect((await w.run()).join('\n')).toContain('when do we deploy?')
    w.append(result, event('assistant', 'on some day'))
    const texts = await w.run()
    expect(texts.join('\n')).not.toContain('Fridays')
    expect(texts.join('\n')).toContain('on some day')
  })

  it('a run of ours is not mined, though its log was looked at before the prompt was in it', async () => {
    const w = await guarded(fixture)
    w.append(event('noise', 'the session begins'))
    // Of a log whose host it does not know, memu-agent says that nothing in it is understood yet.
    expect(await w.run().catch(({ code }: { code?: string }) => (code === 'log_not_understood' ? [] : code))).toEqual([])
    w.append(event('user', `Work through the job files.\n\n${runMark(w.nonce)}`), event('assistant', 'I changed memory/shop.md'))
    expect(await w.run()).toEqual([])
    w.append(event('user', 'and the others'))
    expect(await w.run()).toEqual([])
  })

  it('a conversation about memU is mined: its commands, its files, its tag, and a block of another machine', async () => {
    const w = await guarded(fixture)
    const foreign = wrap('- staging is on port 8080', 'f'.repeat(32))
    const about = [
      'what does `memu retrieve "x"` print, and is ~/.memu/memory/a.md read by it?',
      `why is there a <memu-recalled> block, and what are "${marks(w.nonce).start}" and "${marks(w.nonce).end}"?`,
      `my laptop knows this: ${foreign}`,
    ]
    w.append(...about.flatMap((text) => [event('user', text), event('assistant', 'I will look')]))
    const texts = (await w.run()).join('\n')
    for (const text of about) expect(texts).toContain(text)
  })
})
