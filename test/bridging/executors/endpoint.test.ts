import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openExecutor } from '../../../src/bridging/executors/open.ts'
import { claudeCode } from '../../../src/hosts/registry.ts'
import { realSystem } from '../../../src/util/system.ts'
import { type Asked, type JsonServer, jsonServer, type Reply } from '../../helpers/json-server.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'
import { type PreparedRun, type PreparedSession, preparedRun } from './slice-file.ts'

const KEY = 'sk-test-51c0ffee51c0ffee'
let server: JsonServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const file = (name: string, ...lines: readonly string[]): string =>
  `---\nname: ${name}\ndescription: about ${name}\n---\n\n${lines.join('\n')}\n`
const chat = (content: unknown, finish_reason = 'stop'): Reply => ({
  body: {
    choices: [{ message: { content: typeof content === 'string' ? content : JSON.stringify(content) }, finish_reason }],
    usage: { prompt_tokens: 10, completion_tokens: 2 },
  },
})
const nothing = chat({ files: [] })

/** Runs the jobs of one session (memory, skill, resource) against a server that answers by `reply`. */
async function run(
  reply: (asked: Asked, count: number) => Reply,
  { session = { says: ['We use pnpm.'] }, dialect = 'openai', base }: { session?: PreparedSession; dialect?: string; base?: string } = {},
) {
  server = await jsonServer(reply)
  const prepared = preparedRun([session], base)
  const values: Record<string, string> = {
    MEMU_EXECUTOR_BASE_URL: `${server.url}/v1`,
    MEMU_EXECUTOR_MODEL: 'm1',
    MEMU_EXECUTOR_API_KEY: KEY,
  }
  if (dialect === 'ollama') values.MEMU_EXECUTOR_BASE_URL = server.url
  const system = realSystem()
  const executor = await openExecutor(dialect, { spec: claudeCode, system, value: (key) => values[key] })
  const result = await executor.run(prepared)
  return { prepared, result, asked: server.asked }
}

function read(prepared: PreparedRun, path: string): string {
  return readFileSync(join(prepared.layout.base, path), 'utf8')
}

const messages = (asked: Asked | undefined) => asked?.body.messages as { role: string; content: string }[]
const isMemory = (asked: Asked): boolean => messages(asked)[0]?.content.includes('memory/<name>.md') ?? false

describe('the endpoint executor', () => {
  it('sends job text, session and matching files, and writes the files that come back', async () => {
    const base = join(temporaryFolder(), 'tree')
    mkdirSync(join(base, 'memory'), { recursive: true })
    writeFileSync(join(base, 'memory', 'tools.md'), file('tools', '- uses npm'))
    writeFileSync(join(base, 'memory', 'music.md'), file('music', '- likes jazz'))
    const { prepared, result, asked } = await run(
      (request) => (isMemory(request) ? chat({ files: [{ path: 'memory/tools.md', content: file('tools', '- uses pnpm') }] }) : nothing),
      { base, session: { says: ['We use pnpm and npm, as tools.'] } },
    )
    expect(result).toMatchObject({ finished: [1, 2, 3], failed: [], tokens: { input: 20, output: 4 } })
    expect(read(prepared, 'memory/tools.md')).toContain('- uses pnpm')
    expect(read(prepared, 'memory/music.md')).toContain('- likes jazz')
    const [system, user] = messages(asked[0])
    expect(system!.content).toContain('the text of job 1')
    expect(user!.content).toContain('We use pnpm and npm')
    expect(user!.content).toContain('<file path="memory/tools.md">')
    expect(user!.content).not.toContain('likes jazz')
    expect(asked[0]!.path).toBe('/v1/chat/completions')
    expect(asked[0]!.headers.authorization).toBe(`Bearer ${KEY}`)
  })

  it('speaks Ollama’s own dialect, and asks it for a context that holds the session', async () => {
    const { result, asked } = await run(() => ({ body: { message: { content: '{"files":[]}' }, prompt_eval_count: 5, eval_count: 1 } }), {
      dialect: 'ollama',
    })
    expect(result.finished).toEqual([1, 2, 3])
    expect(asked[0]).toMatchObject({ path: '/api/chat', body: { stream: false, format: 'json', options: { num_ctx: 32_768 } } })
  })

  it.each([
    ['text that is not JSON', 'Here you are: the files.'],
    ['no array of files', { file: 'x' }],
    ['a path that climbs out', { files: [{ path: 'memory/../../x.md', content: file('x', '- y') }] }],
    ['an absolute path', { files: [{ path: '/etc/cron.d/x.md', content: file('x', '- y') }] }],
    ['a path of the other track', { files: [{ path: 'skill/x.md', content: file('x', '- y') }] }],
    ['a path with a folder', { files: [{ path: 'memory/a/x.md', content: file('x', '- y') }] }],
    ['a device of Windows', { files: [{ path: 'memory/con.md', content: file('x', '- y') }] }],
    ['a hidden file', { files: [{ path: 'memory/.x.md', content: file('x', '- y') }] }],
    ['a file that is no markdown', { files: [{ path: 'memory/x.sh', content: file('x', '- y') }] }],
    ['a huge file', { files: [{ path: 'memory/x.md', content: file('x', `- ${'y'.repeat(300_000)}`) }] }],
    ['too many files', { files: Array.from({ length: 21 }, (_, i) => ({ path: `memory/x${i}.md`, content: file('x', '- y') })) }],
    ['a file without front matter', { files: [{ path: 'memory/x.md', content: '- y\n' }] }],
    ['an emptied file', { files: [{ path: 'memory/x.md', content: file('x') }] }],
    ['content that is no text', { files: [{ path: 'memory/x.md', content: 7 }] }],
  ])('asks once more after %s, and takes the repaired answer', async (_what, answer) => {
    const { prepared, result, asked } = await run((request) => {
      if (!isMemory(request)) return nothing
      return messages(request).length === 2 ? chat(answer) : chat({ files: [{ path: 'memory/x.md', content: file('x', '- repaired') }] })
    })
    expect(result.failed).toEqual([])
    expect(read(prepared, 'memory/x.md')).toContain('- repaired')
    expect(messages(asked[1]).at(-1)!.content).toMatch(/could not be used: /)
  })

  it('gives the job up after a second bad answer, writes nothing of it, and goes on with the next', async () => {
    const { prepared, result } = await run((request) => (isMemory(request) ? chat('nonsense') : nothing))
    expect(result.finished).toEqual([2, 3])
    expect(result.failed).toMatchObject([{ job: 1, reason: expect.stringContaining('not JSON') }])
    expect([...prepared.finished]).toEqual([2, 3])
  })

  it('takes an answer that was cut off for a bad one', async () => {
    const { result } = await run((request) => (isMemory(request) ? chat({ files: [] }, 'length') : nothing))
    expect(result.failed[0]?.reason).toContain('cut off')
  })

  it('never writes through a link', async () => {
    const base = join(temporaryFolder(), 'tree')
    const outside = join(temporaryFolder(), 'precious.md')
    writeFileSync(outside, 'precious')
    mkdirSync(join(base, 'memory'), { recursive: true })
    symlinkSync(outside, join(base, 'memory', 'x.md'))
    const { result } = await run(() => chat({ files: [{ path: 'memory/x.md', content: file('x', '- y') }] }), { base })
    expect(result.failed[0]?.reason).toContain('not a regular file')
    expect(readFileSync(outside, 'utf8')).toBe('precious')
  })

  it('refuses to replace a file that the model was not shown', async () => {
    const base = join(temporaryFolder(), 'tree')
    mkdirSync(join(base, 'memory'), { recursive: true })
    writeFileSync(join(base, 'memory', 'music.md'), file('music', '- likes jazz'))
    const { prepared, result } = await run(() => chat({ files: [{ path: 'memory/music.md', content: file('music', '- likes noise') }] }), {
      base,
    })
    expect(result.failed[0]?.reason).toContain('was not shown')
    expect(read(prepared, 'memory/music.md')).toContain('jazz')
  })

  it('reads a long session in parts, each with the files as the part before left them, and writes at the end', async () => {
    const says = Array.from({ length: 60 }, (_, index) => `statement ${index} about pnpm ${'word '.repeat(800)}`)
    const seen: string[] = []
    const { prepared, asked } = await run(
      (request, count) => {
        if (!isMemory(request)) return nothing
        seen.push(messages(request)[1]!.content)
        const lines = Array.from({ length: count }, (_, index) => `- pnpm part ${index + 1}`)
        return chat({ files: [{ path: 'memory/tools.md', content: file('tools', ...lines) }] })
      },
      { session: { says } },
    )
    expect(seen.length).toBeGreaterThan(2)
    for (const index of says.keys()) expect(seen.some((part) => part.includes(`statement ${index} about`))).toBe(true)
    expect(seen[1]).toContain('- pnpm part 1')
    expect(read(prepared, 'memory/tools.md')).toContain(`- pnpm part ${seen.length}`)
    expect(Math.max(...asked.map((request) => JSON.stringify(request.body).length))).toBeLessThan(200_000)
  })

  it('leaves the mirror as it was where a later part fails', async () => {
    const says = Array.from({ length: 60 }, (_, index) => `statement ${index} ${'word '.repeat(800)}`)
    const { prepared, result } = await run(
      (request, count) =>
        isMemory(request) && count > 1
          ? { status: 400, body: { error: 'no' } }
          : chat({ files: [{ path: 'memory/x.md', content: file('x', '- y') }] }),
      { session: { says } },
    )
    expect(result.failed.map(({ job }) => job)).toContain(1)
    expect(() => read(prepared, 'memory/x.md')).toThrow()
  })

  it('tries again after 429 and a half answer, as long as the server asks', async () => {
    const { result, asked } = await run((_, count) => {
      if (count === 1) return { status: 429, headers: { 'retry-after': '0' }, body: { error: { message: 'slow down' } } }
      if (count === 2) return { trouble: 'half', body: 'x'.repeat(1000) }
      return nothing
    })
    expect(result.finished).toEqual([1, 2, 3])
    expect(asked).toHaveLength(4)
  })

  it('does without response_format where the server does not know it', async () => {
    const { result, asked } = await run((request) =>
      request.body.response_format === undefined ? nothing : { status: 400, body: { error: { message: 'unknown field response_format' } } },
    )
    expect(result.finished).toEqual([1, 2, 3])
    expect(asked).toHaveLength(3)
  })

  it('gives up on a server that does not answer in time', async () => {
    server = await jsonServer(() => ({ trouble: 'hang' }))
    const values: Record<string, string> = { MEMU_EXECUTOR_BASE_URL: server.url, MEMU_EXECUTOR_MODEL: 'm1' }
    const executor = await openExecutor('openai', { spec: claudeCode, system: realSystem(), value: (key) => values[key], timeoutMs: 20 })
    const prepared = preparedRun([{ says: ['We use pnpm.'] }])
    const { finished, failed } = await executor.run(prepared)
    expect(finished).toEqual([3])
    expect(failed[0]?.reason).toContain('no answer within')
  })

  it('says what failed without the key, also where the server repeats it', async () => {
    const { prepared, result } = await run(() => ({ status: 401, body: { error: { message: `Incorrect API key provided: ${KEY}` } } }))
    expect(result.failed.map(({ job }) => job)).toEqual([1, 2])
    expect(result.failed[0]?.reason).toContain('HTTP 401')
    expect(JSON.stringify([result, prepared.logged])).not.toContain(KEY)
  })

  it.each([
    ['the model', { MEMU_EXECUTOR_BASE_URL: 'http://127.0.0.1:1/v1' }],
    ['the key of a server elsewhere', { MEMU_EXECUTOR_MODEL: 'm1' }],
    ['a usable address', { MEMU_EXECUTOR_MODEL: 'm1', MEMU_EXECUTOR_BASE_URL: 'ftp://x' }],
  ])('is refused without %s', async (_what, values) => {
    const opened = openExecutor('openai', {
      spec: claudeCode,
      system: realSystem(),
      value: (key) => (values as Record<string, string>)[key],
    })
    await expect(opened).rejects.toMatchObject({ code: 'invalid_config', exit: 2 })
  })

  it('stops at once where the run is interrupted', async () => {
    server = await jsonServer(() => ({ trouble: 'hang' }))
    const prepared = preparedRun([{ says: ['We use pnpm.'] }])
    const values: Record<string, string> = { MEMU_EXECUTOR_BASE_URL: server.url, MEMU_EXECUTOR_MODEL: 'm1' }
    const executor = await openExecutor('openai', { spec: claudeCode, system: realSystem(), value: (key) => values[key] })
    const running = executor.run(prepared)
    prepared.controller.abort(new Error('interrupted'))
    await expect(running).rejects.toThrow('interrupted')
    expect([...prepared.finished]).toEqual([])
  })
})
