import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openExecutor } from '../../../src/bridging/executors/open.ts'
import { claudeCode } from '../../../src/hosts/registry.ts'
import { realSystem } from '../../../src/util/system.ts'
import { type Asked, type JsonServer, jsonServer } from '../../helpers/json-server.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'
import { type PreparedRun, preparedRun } from './slice-file.ts'

let server: JsonServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

interface Written {
  readonly path: string
  readonly content: string
}

const file = (name: string, line: string): string => `---\nname: ${name}\ndescription: about ${name}\n---\n\n${line}\n`
const LATIN_1 = Buffer.from(file('tools', '- uses pnpm in a café'), 'latin1')
const BROKEN = '---\nname: tools\n- uses pnpm\n'

/** The memory job of one session about pnpm; the skill job gets nothing to write. `answer` is asked once a question. */
async function memoryJob(prepared: PreparedRun, answer: (question: string, count: number) => readonly Written[]) {
  let count = 0
  server = await jsonServer((asked) => {
    const files = isMemory(asked) ? answer(JSON.stringify(asked.body), ++count) : []
    return { body: { choices: [{ message: { content: JSON.stringify({ files }) } }] } }
  })
  const values: Record<string, string> = { MEMU_EXECUTOR_BASE_URL: server.url, MEMU_EXECUTOR_MODEL: 'm1' }
  const executor = await openExecutor('openai', { spec: claudeCode, system: realSystem(), value: (key) => values[key] })
  const { failed } = await executor.run(prepared)
  return { reason: failed.find(({ job }) => job === 1)?.reason, asked: server.asked.filter(isMemory) }
}

function isMemory({ body }: Asked): boolean {
  return JSON.stringify(body).includes('memory/<name>.md')
}

const session = () => preparedRun([{ says: ['We use pnpm as one of our tools.'] }])
const at = (prepared: PreparedRun, path: string): string => join(prepared.layout.base, path)

describe('a memory file that the endpoint’s model cannot be shown', () => {
  it.each<[string, (path: string) => void]>([
    ['holds bytes of another encoding', (path) => writeFileSync(path, LATIN_1)],
    ['has broken front matter', (path) => writeFileSync(path, BROKEN)],
    ['holds NUL bytes', (path) => writeFileSync(path, file('tools', '- uses pnpm\0'))],
    ['is a folder', (path) => mkdirSync(path)],
  ])('is named to it as taken and is not replaced, where it %s', async (_what, make) => {
    const prepared = session()
    make(at(prepared, 'memory/tools.md'))
    const before = bytes(prepared, 'memory/tools.md')
    const { reason, asked } = await memoryJob(prepared, (_, count) => [
      { path: count === 1 ? 'memory/tools.md' : 'memory/other.md', content: file('other', '- uses pnpm 9') },
    ])
    expect(reason).toBeUndefined()
    expect(asked).toHaveLength(2)
    expect(JSON.stringify(asked[0]!.body)).toContain('do not write to these paths:\\nmemory/tools.md')
    expect(JSON.stringify(asked)).not.toContain('\uFFFD')
    expect(bytes(prepared, 'memory/tools.md')).toEqual(before)
    expect(readFileSync(at(prepared, 'memory/other.md'), 'utf8')).toContain('pnpm 9')
  })

  it('is not replaced by a job that insists', async () => {
    const prepared = session()
    writeFileSync(at(prepared, 'memory/tools.md'), BROKEN)
    const { reason } = await memoryJob(prepared, () => [{ path: 'memory/tools.md', content: file('tools', '- new') }])
    expect(reason).toContain('memory/tools.md exists and was not shown')
    expect(readFileSync(at(prepared, 'memory/tools.md'), 'utf8')).toBe(BROKEN)
  })
})

describe('a memory file that the endpoint’s model was shown', () => {
  it('can be rewritten whatever its name, since it is there', async () => {
    const prepared = session()
    writeFileSync(at(prepared, 'memory/Our Tools.md'), file('Our Tools', '- uses npm, no pnpm'))
    const { reason } = await memoryJob(prepared, () => [{ path: 'memory/Our Tools.md', content: file('Our Tools', '- uses pnpm') }])
    expect(reason).toBeUndefined()
    expect(readFileSync(at(prepared, 'memory/Our Tools.md'), 'utf8')).toBe(file('Our Tools', '- uses pnpm'))
  })
})

describe('what happens to the mirror while the endpoint’s model works', () => {
  it('to a file that it was shown: the user’s edit stays, and no other file is written', async () => {
    const prepared = session()
    const edited = file('tools', '- uses pnpm, and this line is new')
    writeFileSync(at(prepared, 'memory/tools.md'), file('tools', '- uses pnpm'))
    const { reason } = await memoryJob(prepared, () => {
      writeFileSync(at(prepared, 'memory/tools.md'), edited)
      return ['a', 'tools'].map((name) => ({ path: `memory/${name}.md`, content: file(name, '- pnpm 9') }))
    })
    expect(reason).toContain('was changed while the model worked')
    expect(readdirSync(prepared.layout.tracks.memory)).toEqual(['tools.md'])
    expect(readFileSync(at(prepared, 'memory/tools.md'), 'utf8')).toBe(edited)
  })

  it('to a name that was free when its first answer came: the file that came since stays', async () => {
    const says = Array.from({ length: 60 }, (_, index) => `statement ${index} ${'word '.repeat(800)}`)
    const prepared = preparedRun([{ says }])
    const { reason, asked } = await memoryJob(prepared, (_, count) => {
      if (count === 1) return [{ path: 'memory/late.md', content: file('late', '- the model’s') }]
      writeFileSync(at(prepared, 'memory/late.md'), file('late', '- the user’s'))
      return []
    })
    expect(asked.length).toBeGreaterThan(1)
    expect(reason).toContain('was changed while the model worked')
    expect(readFileSync(at(prepared, 'memory/late.md'), 'utf8')).toContain('the user’s')
  })

  it('to its folder: nothing is written through the link that took its place', async () => {
    const prepared = session()
    const outside = temporaryFolder()
    const { reason } = await memoryJob(prepared, (_, count) => {
      if (count === 1) linkInstead(prepared, outside)
      return [{ path: 'memory/x.md', content: file('x', '- y') }]
    })
    expect(readdirSync(outside)).toEqual([])
    expect(reason).toContain('its folder memory is a link')
  })

  it('to its folder after the last check of an answer: the tree is looked at again before writing', async () => {
    const says = Array.from({ length: 60 }, (_, index) => `statement ${index} ${'word '.repeat(800)}`)
    const prepared = preparedRun([{ says }])
    const outside = temporaryFolder()
    let linked = false
    const { reason } = await memoryJob(prepared, (question) => {
      if (question.includes('statement 0 ')) return [{ path: 'memory/x.md', content: file('x', '- y') }]
      if (question.includes('statement 59 ')) {
        linkInstead(prepared, outside)
        linked = true
      }
      return []
    })
    expect(linked).toBe(true)
    expect(readdirSync(outside)).toEqual([])
    expect(reason).toContain('its folder memory is a link')
  })
})

describe('a memory folder that is a link', () => {
  it('is neither listed to the endpoint’s model nor written to', async () => {
    const prepared = session()
    const outside = temporaryFolder()
    writeFileSync(join(outside, 'private.md'), file('private', '- pnpm and a diary'))
    linkInstead(prepared, outside)
    const { reason, asked } = await memoryJob(prepared, () => [{ path: 'memory/x.md', content: file('x', '- y') }])
    expect(readdirSync(outside)).toEqual(['private.md'])
    expect(asked).toEqual([])
    expect(reason).toContain('memory is a link')
  })
})

function linkInstead({ layout }: PreparedRun, outside: string): void {
  renameSync(layout.tracks.memory, `${layout.tracks.memory}-away`)
  symlinkSync(outside, layout.tracks.memory)
}

/** Of a folder its entries. */
function bytes(prepared: PreparedRun, path: string): Buffer | string[] {
  try {
    return readFileSync(at(prepared, path))
  } catch {
    return readdirSync(at(prepared, path))
  }
}
