import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { humanText } from '../../src/hosts/hermes/human-text.ts'
import { hermes } from '../../src/hosts/hermes/spec.ts'
import type { SessionRef } from '../../src/hosts/transcript-source.ts'
import { realSystem, type System } from '../../src/util/system.ts'
import { hostContract } from '../contract/host.ts'
import { sqliteHostContract } from '../contract/host-sqlite.ts'
import { noReport, readAll } from '../contract/transcript-source.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { type HermesDatabase, hermesDatabase, hermesLog, START, type Values } from './hermes-log.ts'

hostContract(hermesLog)
sqliteHostContract(hermesLog)

const SESSION = '20260901_080000_ab12cd'
const LONG = 'The rate is read before it loads, so that the whole checkout fails whenever the cache is cold.'

const system = (more: Partial<System> = {}): System => ({
  ...realSystem(),
  env: {},
  home: '/home/u',
  platform: 'linux',
  now: () => new Date('2026-10-01T00:00:00Z'),
  ...more,
})

function database(path = join(temporaryFolder(), 'state.db'), schema?: string): HermesDatabase & { readonly path: string } {
  const made = hermesDatabase(path, schema)
  onTestFinished(() => made.close())
  return { ...made, path }
}

/** A session with these rows, one second apart. */
function session(rows: readonly Values[], values: Values = {}, id = SESSION) {
  const made = database()
  made.session(id, values)
  rows.forEach((row, i) => {
    made.message(id, { timestamp: START + i, ...row })
  })
  return made
}

async function discovered(path: string, report = noReport): Promise<SessionRef[]> {
  return (await hermes.source(path, system())).discover(report)
}

async function read(path: string, id = SESSION) {
  const source = await hermes.source(path, system())
  const ref = source.discover(noReport).find((found) => found.id === id)
  if (ref === undefined) throw new Error(`no session ${id}`)
  return { ref, ...(await readAll(source, ref, undefined)) }
}

describe('what a row of Hermes is', () => {
  it('reads content that is a list of parts, and puts a word in the place of a picture', async () => {
    const parts = [
      { type: 'text', text: 'see this' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(1000)}` } },
    ]
    const { path } = session([
      { role: 'user', content: `\0json:${JSON.stringify(parts)}` },
      { role: 'tool', content: `\0json:${JSON.stringify(parts)}`, tool_call_id: 'c1' },
      { role: 'user', content: `\0json:${JSON.stringify(parts.slice(1))}` },
    ])
    expect((await read(path)).texts).toEqual(['see this\n[image]', 'see this\n[image]'])
  })

  it('shortens a picture of many megabytes and keeps the words beside it', async () => {
    const parts = [
      { type: 'image_url', image_url: { url: `data:image/png;base64,${'QUJD'.repeat(3_000_000)}` } },
      { type: 'text', text: 'what is this?' },
    ]
    const { path } = session([{ role: 'user', content: `\0json:${JSON.stringify(parts)}` }])
    expect(await read(path)).toMatchObject({ texts: ['[image]\nwhat is this?'], bad: 0 })
  })

  it('gives a message and the calls made with it, with the command line of a shell', async () => {
    const calls = [
      { id: 'c1', type: 'function', function: { name: 'terminal', arguments: '{"command":"npm test"}' } },
      { id: 'c2', function: { name: 'read_file', arguments: '{"path": torn' } },
    ]
    const { path } = session([{ role: 'assistant', content: 'Let me look.', tool_calls: JSON.stringify(calls) }])
    const { records } = await read(path)
    expect(records.map(({ text, tool }) => [text, tool])).toEqual([
      ['Let me look.', undefined],
      ['npm test', { name: 'terminal', call: 'c1', part: 'call' }],
      ['{"path": torn', { name: 'read_file', call: 'c2', part: 'call' }],
    ])
  })

  it('leaves out what nobody said to the agent, and what was taken back', async () => {
    const { path } = session([
      { role: 'user', content: 'a question' },
      { role: 'user', content: 'taken back', active: 0, compacted: 0 },
      { role: 'assistant', content: 'taken back, too', active: 0 },
      { role: 'user', content: 'of the program', display_kind: 'hidden' },
      { role: 'user', content: 'said in the group', observed: 1 },
      { role: 'user', content: 'A summary of it all', _compressed_summary: 1 },
      { role: 'user', content: '[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were …' },
      { role: 'assistant', content: '[CONTEXT SUMMARY]: earlier …' },
      { role: 'system', content: 'You are Hermes' },
      { role: 'session_meta', content: '{}' },
      { role: 'assistant', content: '[SILENT]' },
      { role: 'assistant', content: 'an answer' },
    ])
    expect((await read(path)).texts).toEqual(['a question', 'an answer'])
  })

  it('leaves out the review that older versions held in the session itself, up to the next prompt', async () => {
    const { path } = session([
      { role: 'user', content: 'a question' },
      { role: 'user', content: 'Review the conversation above and consider saving to memory what …' },
      { role: 'assistant', content: 'I saved it.', tool_calls: '[{"id":"c1","function":{"name":"memory","arguments":"{}"}}]' },
      { role: 'tool', content: 'ok', tool_call_id: 'c1' },
      { role: 'user', content: 'another question' },
    ])
    expect((await read(path)).texts).toEqual(['a question', 'another question'])
  })

  it('gives no time for one that no clock can have shown', async () => {
    const { path } = session([
      { role: 'user', content: 'one', timestamp: 1e300 },
      { role: 'user', content: 'two', timestamp: -5 },
      { role: 'user', content: 'three', timestamp: START + 0.5 },
    ])
    expect((await read(path)).records.map(({ at }) => at)).toEqual([undefined, undefined, '2026-09-01T08:00:00.500Z'])
  })
})

describe('what a person said among what Hermes adds', () => {
  const skill = (instruction: string) =>
    `[IMPORTANT: The user has invoked the "review" skill, indicating they want it. The full skill content is loaded below.]\n\n# Review\n\nRead all.${instruction}`
  const loaded = (text: string) => `[IMPORTANT: The "notes" skill is auto-loaded. Follow it.]\n\n# Notes\n\n${text}`
  it.each([
    ['a plain prompt', 'why does [it] fail?', 'why does [it] fail?'],
    [
      'a scheduled job',
      '[IMPORTANT: You are running as a scheduled cron job. Say "[SILENT]" or not.]\n\nSummarise my mail',
      'Summarise my mail',
    ],
    ['a notice alone', '[System: Your previous response was truncated. Continue.]', ''],
    ['two notices', '[System note: A]\n\n[Note: model was just switched from a to b.]\n\ngo on', 'go on'],
    ['recalled memory', '<memory-context>\n[System note: recalled]\nold\n</memory-context>\n\nnew', 'new'],
    ['a bare skill', skill(''), ''],
    [
      'a skill with an instruction',
      skill('\n\nThe user has provided the following instruction alongside the skill invocation: look at tax.ts\n\n[Runtime note: x]'),
      'look at tax.ts',
    ],
    [
      'a bundle of skills',
      '[IMPORTANT: The user has invoked the "a b" stacked skill bundle, loading 2 skills together.]\n\nSkills loaded: a, b\n\nUser instruction: do both\n\n[Loaded as part of the "a b" bundle]\n\n# A',
      'do both',
    ],
    [
      'a skill of the chat, with all that the person said after it',
      loaded('Be brief.\n\n[Skill directory: /s/notes]\nResolve any relative paths in this skill there.\n\nhello there\n\nand more'),
      'hello there\n\nand more',
    ],
    [
      'skills of the chat with settings, notes and files',
      `${loaded('One.\n\n[Skill directory: /s/a]\nResolve any relative paths in this skill there.\n\n[Skill setup note: no key]')}\n\n${loaded(
        'Two.\n\n[Skill directory: /s/b]\nResolve any relative paths in this skill there.\n\n[Skill config (from x):\n  key = 1\n]\n\n' +
          '[This skill has supporting files:]\n- a.md  ->  /s/b/a.md\n\nLoad any of these with skill_view(name="b").\n\n- a list\n\n- of mine',
      )}`,
      '- a list\n\n- of mine',
    ],
    ['a skill of the chat alone', loaded('Be brief.\n\n[Skill directory: /s/notes]\nResolve any relative paths in this skill there.'), ''],
    ['a skill of the chat that ends nowhere', loaded('Be brief.\n\nhello there'), loaded('Be brief.\n\nhello there')],
    ['a bracket that is not closed', '[System: never closed', '[System: never closed'],
    ['words about a notice', 'what does "[System: x]" mean?', 'what does "[System: x]" mean?'],
  ])('%s', (_, text, expected) => {
    expect(humanText(text)).toBe(expected)
  })
})

describe('sessions that go on from others', () => {
  it('compacted in place give nothing twice, and what was laid aside once', async () => {
    const made = session([
      { role: 'user', content: 'short' },
      { role: 'assistant', content: LONG },
    ])
    const source = await hermes.source(made.path, system())
    const [ref] = source.discover(noReport)
    const before = await readAll(source, ref!, undefined)
    made.database.exec('begin; update messages set active = 0, compacted = 1')
    made.message(SESSION, { role: 'user', content: 'Summary', _compressed_summary: 1 })
    // Kept with its own time, and with a new one where the program had forgotten it.
    made.message(SESSION, { role: 'user', content: 'short', timestamp: START })
    made.message(SESSION, { role: 'assistant', content: LONG, timestamp: START + 900 })
    made.message(SESSION, { role: 'user', content: 'new', timestamp: START + 901 })
    made.database.exec('commit')
    expect((await read(made.path)).texts).toEqual(['short', LONG, 'new'])
    const after = await readAll(source, source.discover(noReport)[0]!, before.cursor)
    const known = new Set(before.records.map(({ key }) => key))
    expect(after.records.filter(({ key }) => !known.has(key)).map(({ text }) => text)).toEqual(['new'])
  })

  it('are read again where the user gives back what was taken back', async () => {
    const made = session([
      { role: 'user', content: 'one' },
      { role: 'user', content: 'two', active: 0 },
    ])
    const source = await hermes.source(made.path, system())
    const [ref] = source.discover(noReport)
    const { cursor, texts } = await readAll(source, ref!, undefined)
    expect(texts).toEqual(['one'])
    made.database.exec('update messages set active = 1')
    const [changed] = source.discover(noReport)
    expect(changed?.size).not.toBe(ref?.size)
    expect(await readAll(source, changed!, cursor)).toMatchObject({ restarted: true, texts: ['one', 'two'] })
  })

  it('rotated or branched leave out what they took over from their parent', async () => {
    const made = session(
      [
        { role: 'user', content: 'short' },
        { role: 'assistant', content: LONG },
      ],
      { end_reason: 'compression', ended_at: START + 5, cwd: '/home/u/shop', git_branch: 'main' },
    )
    const child = '20260901_090000_ef34ab'
    made.session(child, { parent_session_id: SESSION, started_at: START + 5, title: 'Tax 2' })
    made.message(child, { role: 'user', content: '[CONTEXT COMPACTION] summary' })
    made.message(child, { role: 'user', content: 'short', timestamp: START })
    made.message(child, { role: 'assistant', content: LONG, timestamp: START + 6 })
    made.message(child, { role: 'user', content: 'short', timestamp: START + 60 })
    const { ref, texts, facts } = await read(made.path, child)
    expect(texts).toEqual(['short'])
    expect(ref.owner).toBe(child)
    expect(facts).toEqual({ title: 'Tax 2', project: '/home/u/shop', branch: 'main' })
  })

  it.each([
    ['was begun anew', { end_reason: 'new_session' }, { model_config: JSON.stringify({ _reset_from: SESSION }) }],
    ['was reset', { end_reason: 'session_reset' }, { model_config: JSON.stringify({ _reset_from: SESSION }) }],
    ['was reset after a compaction', { end_reason: 'compression' }, { model_config: JSON.stringify({ _reset_from: SESSION }) }],
    ['follows one that was closed', { end_reason: 'cli_close' }, {}],
  ])('keep a prompt that was used before where nothing was copied: the session %s', async (_, ended, values) => {
    const made = session([{ role: 'user', content: LONG }], { ended_at: START + 5, ...ended })
    const next = '20260902_080000_ef34ab'
    made.session(next, { parent_session_id: SESSION, started_at: START + 86_400, ...values })
    made.message(next, { role: 'user', content: LONG, timestamp: START + 86_401 })
    made.message(next, { role: 'assistant', content: 'Fixed three.', timestamp: START + 86_402 })
    expect((await read(made.path, next)).texts).toEqual([LONG, 'Fixed three.'])
  })

  it('branched from a session that went on and ended otherwise still leave out what they took over', async () => {
    const made = session([{ role: 'user', content: LONG }], { end_reason: 'cli_close', ended_at: START + 50 })
    const branch = '20260901_090000_ef34ab'
    made.session(branch, { parent_session_id: SESSION, model_config: JSON.stringify({ _branched_from: SESSION }) })
    made.message(branch, { role: 'user', content: LONG, timestamp: START + 6 })
    made.message(branch, { role: 'user', content: 'another way', timestamp: START + 60 })
    expect((await read(made.path, branch)).texts).toEqual(['another way'])
  })

  it('of subagents belong to the session that spawned them, and give their tools alone', async () => {
    const made = session([{ role: 'user', content: 'a question' }])
    const rows: Values[] = [
      { role: 'user', content: 'You look at tax.ts.' },
      { role: 'assistant', content: 'I do.', tool_calls: '[{"id":"c1","function":{"name":"read_file","arguments":"{}"}}]' },
      { role: 'tool', content: 'the file', tool_call_id: 'c1' },
    ]
    made.session('child', { parent_session_id: SESSION, model_config: JSON.stringify({ _delegate_from: SESSION }) })
    made.session('grandchild', { parent_session_id: 'child', model_config: JSON.stringify({ _delegate_from: 'child' }) })
    for (const id of ['child', 'grandchild']) for (const row of rows) made.message(id, row)
    // Calls that look like the parent's are no copies of them.
    made.message(SESSION, rows[1]!)
    const refs = await discovered(made.path)
    expect(refs.map(({ id, owner }) => [id, owner])).toEqual([
      [SESSION, SESSION],
      [`${SESSION}/child`, SESSION],
      [`${SESSION}/grandchild`, SESSION],
    ])
    expect((await read(made.path, `${SESSION}/child`)).records.map(({ kind, text }) => [kind, text])).toEqual([
      ['tool', '{}'],
      ['tool', 'the file'],
    ])
  })

  it('were not marked by older versions: a child that began while its parent worked is a subagent’s', async () => {
    const made = session([{ role: 'user', content: 'a question' }], { ended_at: START + 100, end_reason: 'cli_close' })
    made.session('during', { parent_session_id: SESSION, started_at: START + 50 })
    made.session('after', { parent_session_id: SESSION, started_at: START + 200 })
    made.session('branch', { parent_session_id: SESSION, started_at: START + 50, model_config: `{"_branched_from":"${SESSION}"}` })
    for (const id of ['during', 'after', 'branch']) made.message(id, { role: 'user', content: id })
    const owners = async () => new Map((await discovered(made.path)).map(({ id, owner }) => [id, owner]))
    expect([...(await owners()).keys()]).toEqual(expect.arrayContaining([`${SESSION}/during`, 'after', 'branch']))
    made.database.exec('insert into schema_version values (22)')
    expect([...(await owners()).keys()]).toEqual(expect.arrayContaining(['during', 'after', 'branch']))
  })

  it('in a ring of parents come to an end', async () => {
    const made = session([{ role: 'user', content: 'x' }], { parent_session_id: 'other' })
    made.session('other', { parent_session_id: SESSION })
    made.message('other', { role: 'user', content: 'y' })
    expect(await discovered(made.path)).toHaveLength(2)
  })
})

describe('Hermes’ sessions as a whole', () => {
  it('name the scheduled job that they are a run of, and are mined like any other', async () => {
    const id = 'cron_morning_mail_20260901_100000'
    const { path } = session([{ role: 'user', content: 'Summarise my mail' }], { source: 'cron' }, id)
    const { ref, texts } = await read(path, id)
    expect(ref.job).toBe('morning_mail')
    expect(texts).toEqual(['Summarise my mail'])
  })

  it('that the user hid are not mined', async () => {
    const { path } = session([{ role: 'user', content: 'x' }], { hidden: 1, title: ' Mine ' })
    expect((await read(path)).facts).toEqual({ internal: true, title: 'Mine' })
  })

  it('come to an end though their numbers are too large', async () => {
    const made = session([{ role: 'user', content: 'one' }])
    made.database.exec(
      `insert into messages (id, session_id, role, content, timestamp) values (9007199254740993, '${SESSION}', 'user', 'two', 1)`,
    )
    expect((await read(made.path)).texts).toEqual(['one'])
  })

  it('have no entry without a row', async () => {
    expect(await discovered(session([]).path)).toEqual([])
  })

  it('are read from a schema that is years older', async () => {
    const schema = `create table sessions (id text primary key, source text, started_at real);
      create table messages (id integer primary key autoincrement, session_id text, role text, content text, timestamp real)`
    const made = database(undefined, schema)
    made.database.exec(`insert into sessions values ('${SESSION}', 'cli', ${START})`)
    made.message(SESSION, { role: 'user', content: 'a question' })
    expect(await read(made.path)).toMatchObject({ texts: ['a question'], facts: {}, bad: 0 })
  })
})

it.each(['role', 'content'])(
  'Hermes: a version that keeps no %s where it was is said to be unreadable, and not passed over',
  async (column) => {
    const { path, database: made } = session([{ role: 'user', content: 'a question' }])
    made.exec(`alter table messages rename column ${column} to renamed`)
    await expect(read(path)).rejects.toMatchObject({
      code: 'session_unreadable',
      message: `Cannot read the sessions in ${path}: the table messages has no column ${column}.`,
    })
  },
)

describe('where Hermes keeps its sessions', () => {
  it('follows HERMES_HOME, and the custom of the system', () => {
    expect(hermes.sessionDir(system())).toBe(join('/home/u', '.hermes'))
    expect(hermes.sessionDir(system({ env: { HERMES_HOME: '/hh' } }))).toBe('/hh')
    expect(hermes.sessionDir(system({ env: { HERMES_HOME: ' ' } }))).toBe(join('/home/u', '.hermes'))
    expect(hermes.sessionDir(system({ platform: 'win32', env: { LOCALAPPDATA: '/local' } }))).toBe(join('/local', 'hermes'))
    expect(hermes.sessionDir(system({ platform: 'win32' }))).toBe(join('/home/u', 'AppData', 'Local', 'hermes'))
  })

  it('reads every profile’s database, and of a copied session the one that goes on', async () => {
    const root = temporaryFolder()
    fs.mkdirSync(join(root, 'profiles', 'work'), { recursive: true })
    fs.mkdirSync(join(root, 'profiles', 'empty'))
    const main = database(join(root, 'state.db'))
    const work = database(join(root, 'profiles', 'work', 'state.db'))
    for (const made of [main, work]) {
      made.session(SESSION)
      made.message(SESSION, { role: 'user', content: 'both' })
    }
    work.message(SESSION, { role: 'user', content: 'at work', timestamp: START + 10 })
    work.session('w')
    work.message('w', { role: 'user', content: 'x' })
    const refs = await discovered(root)
    expect(refs.map(({ id, path }) => [id, path]).sort()).toEqual([
      [SESSION, work.path],
      ['w', work.path],
    ])
  })

  it('says that it cannot read PostgreSQL, and reads the database that is still there', async () => {
    const root = temporaryFolder()
    const source = await hermes.source(root, system())
    expect(source.exists()).toBe(false)
    const config = join(root, 'config.yaml')
    const problems = () => {
      const found: string[] = []
      const refs = source.discover(({ path, reason }) => void found.push(`${path}: ${reason}`))
      return { found, refs: refs.length }
    }
    fs.writeFileSync(config, 'model: x\ndatabase:\n  # none\n  backend: sqlite\nother:\n  backend: postgres\n')
    expect(source.exists()).toBe(false)
    fs.writeFileSync(config, 'model: x\ndatabase:\n  # none\n\n  backend: "postgres"\n')
    expect(source.exists()).toBe(true)
    expect(problems()).toEqual({ found: [expect.stringContaining(`${config}: sessions are kept in PostgreSQL`)], refs: 0 })
    const made = database(join(root, 'state.db'))
    made.session(SESSION)
    made.message(SESSION, { role: 'user', content: 'x' })
    expect(problems()).toEqual({ found: [expect.stringContaining('PostgreSQL')], refs: 1 })
  })
})
