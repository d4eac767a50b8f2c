import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { codexBackend } from '../../../../src/keel/ai/backends/codex.ts'
import { PROPOSAL_SCHEMA } from '../../../../src/keel/ai/proposal.ts'
import { answered } from '../fake-backend.ts'
import { testSystem } from '../system.ts'
import { standIn } from './stand-in.ts'

const { signal } = new AbortController()
const options = { schema: PROPOSAL_SCHEMA, signal }
const settings = { backend: 'codex' }

/** First the list of servers is asked for, then the question. */
const codex = (exec: string, list = 'say([])') => standIn('codex', `if (args[0] === 'mcp') { ${list} } else { ${exec} }`)
const writes = (text: string) => `fs.writeFileSync(args[args.indexOf('--output-last-message') + 1], ${JSON.stringify(text)})`
const failure = (exec: string, list?: string) =>
  codexBackend(settings, testSystem([codex(exec, list).folder]))
    .ask('Secret wish: to sail', options)
    .catch((thrown) => thrown)

describe('Codex', () => {
  it('gets the prompt on standard input alone, read-only, in an empty folder, with the schema in a file', async () => {
    const program = codex(`
      const schema = JSON.parse(fs.readFileSync(args[args.indexOf('--output-schema') + 1], 'utf8'))
      ${writes('')}
      fs.writeFileSync(args[args.indexOf('--output-last-message') + 1], JSON.stringify(schema))`)
    const answer = await codexBackend({ ...settings, model: 'small' }, testSystem([program.folder])).ask('Secret wish: to sail', options)
    expect(JSON.parse(answer)).toEqual(PROPOSAL_SCHEMA)
    const [list, run] = program.runs()
    expect(list!.args).toEqual(['mcp', 'list', '--json'])
    expect(run!.input).toBe('Secret wish: to sail')
    expect(run!.args.slice(0, 5)).toEqual(['exec', '--ephemeral', '--skip-git-repo-check', '--sandbox', 'read-only'])
    expect(run!.args.slice(-3)).toEqual(['--model', 'small', '-'])
    expect(run!.args.join(' ')).not.toContain('sail')
    expect(run!.args).toEqual(expect.arrayContaining(['features.shell_tool=false', 'features.hooks=false', 'web_search=disabled']))
    expect(run!.inside).toEqual([])
    expect(existsSync(run!.cwd)).toBe(false)
  })

  it("turns each of the user's servers off by its name, whatever that is", async () => {
    const program = codex(writes(answered('walk')), `say([{ name: 'files' }, { name: 'my "own" server.v2' }])`)
    expect(await codexBackend(settings, testSystem([program.folder])).ask('brief', options)).toBe(answered('walk'))
    expect(program.runs()[1]!.args).toEqual(
      expect.arrayContaining(['-c', String.raw`mcp_servers={files={enabled=false},"my \"own\" server.v2"={enabled=false}}`]),
    )
  })

  it.each([
    ['fails', 'process.exitCode = 2'],
    ['is no JSON', `say('No servers configured.')`],
    ['has servers without a name', 'say([{}])'],
    ['is no list', 'say({ servers: [] })'],
  ])('is not asked where the list of its servers %s', async (_, list) => {
    const program = codex(writes(answered('walk')), list)
    await expect(codexBackend(settings, testSystem([program.folder])).ask('brief', options)).rejects.toMatchObject({
      code: 'ai_failed',
      message: expect.stringContaining('MCP servers'),
    })
    expect(program.runs()).toHaveLength(1)
  })

  it('that leaves its answer empty says how it ended', async () => {
    expect(await failure(writes(''))).toMatchObject({ code: 'ai_failed', message: 'Codex gave no answer and ended with code 0' })
  })

  it('that fails says its last words, and not the prompt that it repeats', async () => {
    const error = await failure(`console.error('ERROR: stream disconnected\\nuser\\n' + input); process.exitCode = 1`)
    expect(error).toMatchObject({
      code: 'ai_failed',
      message: expect.stringMatching(/ended with code 1: (?:user|ERROR: stream disconnected)$/),
    })
    expect(error.message).not.toContain('sail')
  })

  it('that is not logged in says what to do', async () => {
    const error = await failure(`console.error('ERROR: unexpected status 401 Unauthorized'); process.exitCode = 1`)
    expect(error).toMatchObject({ code: 'ai_unavailable', hint: 'Run codex login in a terminal.' })
  })

  it('that is too old says so', async () => {
    const error = await failure(`console.error("error: unexpected argument '--output-schema' found"); process.exitCode = 2`)
    expect(error).toMatchObject({ code: 'ai_unavailable', message: 'Codex does not know --output-schema: this version is too old.' })
  })

  it('that writes an answer without end is not read', async () => {
    const error = await failure(`fs.writeFileSync(args[args.indexOf('--output-last-message') + 1], 'x'.repeat(2 * 1024 * 1024))`)
    expect(error).toMatchObject({ code: 'ai_failed' })
  })
})
