import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildPrograms, type Programs, type Ran } from '../helpers/built-programs.ts'
import { openaiReply } from '../helpers/embedding-server.ts'
import { jsonServer } from '../helpers/json-server.ts'

let programs: Programs
let home: string
beforeAll(async () => {
  programs = await buildPrograms()
})
afterAll(() => programs.remove())
beforeEach(() => {
  home = fs.mkdtempSync(join(tmpdir(), 'memu-programs-'))
  fs.mkdirSync(join(home, '.memu'))
  fs.writeFileSync(join(home, '.memu', 'config.env'), 'MEMU_DB=~/.memu/memory.db\n', { mode: 0o600 })
})
afterEach(() => fs.rmSync(home, { recursive: true, force: true }))

const run = (program: string, args: readonly string[], stdin = '', env: Record<string, string> = {}): Promise<Ran> =>
  programs.run(program, args, { home, stdin, env })

const PAYLOAD = JSON.stringify({
  recall_files: [
    {
      track: 'memory',
      name: 'Deploy Notes',
      description: 'how we deploy',
      content: '# Deploy\nDeploys go to staging first.\nERR_X9Q_42 means a full disk.',
    },
    { track: 'skill', name: 'fix-login', description: 'the flaky login test', content: 'Run it twice.' },
  ],
  resource: [{ url: '/home/dev/plan.md', caption: 'the release plan' }],
})
const commit = (): Promise<Ran> => run('memu', ['commit'], PAYLOAD)

interface Printed {
  readonly segments: { readonly text: string; readonly source_file: string }[]
  readonly files: { readonly track: string; readonly name: string; readonly path: string }[]
  readonly resources: { readonly path: string }[]
  readonly notice?: string
}
const printed = (ran: Ran): Printed => JSON.parse(ran.stdout) as Printed

describe.each(['memu', 'memu-claude-code', 'memu-codex'])('%s', (program) => {
  it('prints help and version on stdout, for the program and for each command', async () => {
    const help = await run(program, ['--help'])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toContain(`Usage: ${program}`)
    expect(await run(program, ['--version'])).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
    const section = /^Commands:\n([\s\S]*?)\n\n/m.exec(help.stdout)![1]!
    const commands = [...section.matchAll(/^ {2}([a-z][a-z-]+) /gm)].map((match) => match[1]!).filter((name) => name !== 'help')
    expect(commands.length).toBeGreaterThan(4)
    for (const command of commands) {
      expect(await run(program, [command, '--help'])).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringContaining(`${program} ${command}`),
      })
    }
  })

  it('refuses what it does not know, with exit code 2, a hint, and nothing on stdout', async () => {
    for (const args of [['nope'], ['commit', '--nope'], ['retrieve', '--nope', 'x'], ['retrieve'], ['retrieve', '--limit', 'many', 'x']]) {
      const ran = await run(program, args)
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(ran.stderr).toMatch(/^error: .+\n {2}.+--help|^error: .+\n {2}\S/)
    }
    expect(await run(program, [])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('Usage:') })
    expect((await run(program, ['comit'])).stderr).toBe(
      `error: Unknown command 'comit'.\n  Did you mean commit? ${program} --help shows the commands and options.\n`,
    )
  })

  it('says what it does not know also where its help is asked for, and whose help to read', async () => {
    expect(await run(program, ['help', 'nope'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `error: Unknown command 'nope'.\n  ${program} --help shows the commands and options.\n`,
    })
    expect(await run(program, ['help', 'commit'])).toMatchObject({ code: 0, stdout: expect.stringContaining(`${program} commit`) })
    expect((await run(program, ['commit', '--nope'])).stderr).toBe(
      `error: Unknown option '--nope'.\n  ${program} commit --help shows its options.\n`,
    )
  })

  it('names the key and the file where no store is configured, and never guesses one', async () => {
    fs.rmSync(join(home, '.memu', 'config.env'))
    const ran = await run(program, ['retrieve', 'anything'])
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toContain('MEMU_DB')
    expect(ran.stderr).toContain(join(home, '.memu', 'config.env'))
    // A cache of compiled code may appear there; a store may not.
    expect(fs.readdirSync(join(home, '.memu')).filter((name) => name !== 'cache')).toEqual([])
  })

  it('prints an error as one JSON object on stderr under --json', async () => {
    fs.writeFileSync(join(home, '.memu', 'config.env'), 'MEMU_MEMORY_MODE=colud\n')
    const ran = await run(program, ['retrieve', '--json', 'anything'])
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(JSON.parse(ran.stderr)).toEqual({ error: { code: 'invalid_config', message: expect.any(String), hint: expect.any(String) } })
  })

  it('retrieves JSON and nothing else, with paths to readable copies in place of contents', async () => {
    await commit()
    const ran = await run(program, ['retrieve', 'where do we deploy to'])
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    const answer = printed(ran)
    expect(answer.segments[0]).toMatchObject({ text: 'Deploys go to staging first.', source_file: 'memory/Deploy Notes' })
    expect(ran.stdout).not.toContain('"content"')
    expect(answer.resources).toMatchObject([{ path: '/home/dev/plan.md' }])
    const file = answer.files.find(({ name }) => name === 'Deploy Notes')!
    expect(file.path.startsWith(join(home, '.memu', 'view', 'memory'))).toBe(true)
    expect(fs.readFileSync(file.path, 'utf8')).toBe(
      '---\nname: Deploy Notes\ndescription: how we deploy\nedit: this is a copy; edit the original in ~/.memu/hosts/<host>/memory (~/.memu/memory for Codex), then run memu-<host> commit\n---\n\n# Deploy\nDeploys go to staging first.\nERR_X9Q_42 means a full disk.\n',
    )
  })
})

describe('a command that is another program’s, or has another name', () => {
  it.each([
    ['memu', 'bridge', 'bridge belongs to a host: memu-<host> bridge (claude-code, codex'],
    ['memu', 'list', 'Did you mean list-files?'],
    ['memu-codex', 'restore', 'It is a command of the store: memu restore'],
    ['memu-claude-code', 'list', 'It is a command of the store: memu list-files'],
  ])('%s %s leads there', async (program, command, next) => {
    for (const args of [[command], [command, '--json', 'x'], ['help', command]]) {
      const ran = await run(program, args)
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(ran.stderr).toContain(`Unknown command '${command}'.`)
      expect(ran.stderr).toContain(next)
    }
  })
})

describe('copies that searches left', () => {
  const copies = (): string[] => {
    const view = join(home, '.memu', 'view', 'memory')
    return fs.readdirSync(view).map((name) => fs.readFileSync(join(view, name), 'utf8'))
  }
  const put = (content: string): Promise<Ran> => run('memu', ['commit'], JSON.stringify({ recall_files: [{ name: 'keys', content }] }))

  it('are gone when their file is forgotten or changed, whatever command does it', async () => {
    await put('The door code is 4711.')
    await run('memu', ['retrieve', 'door code'])
    expect(copies()).toEqual([expect.stringContaining('4711')])
    await put('The door has a new code.')
    expect(copies()).toEqual([])

    await run('memu', ['retrieve', 'door code'])
    await run('memu', ['restore', 'memory/keys'])
    expect(copies()).toEqual([])

    await run('memu', ['retrieve', 'door code'])
    const tree = join(home, '.memu', 'hosts', 'claude-code', 'memory')
    fs.mkdirSync(tree, { recursive: true })
    fs.writeFileSync(join(tree, 'keys.md'), '---\nname: keys\ndescription: d\n---\n\nNothing here.\n')
    expect(await run('memu-claude-code', ['commit'])).toMatchObject({ stdout: expect.stringContaining('updated') })
    expect(copies()).toEqual([])

    await run('memu', ['retrieve', 'door'])
    await run('memu', ['commit'], JSON.stringify({ forget: [{ track: 'memory', name: 'keys' }] }))
    expect(copies()).toEqual([])
  })
})

describe('retrieve', () => {
  it('reads the query from standard input, and takes a query that begins with a dash', async () => {
    await commit()
    for (const ran of [await run('memu', ['retrieve', '-'], 'ERR_X9Q_42\n'), await run('memu', ['retrieve', '- fix ERR_X9Q_42 now'])]) {
      expect(printed(ran).segments[0]!.text).toContain('ERR_X9Q_42')
    }
  })

  it('keeps to a track and a limit', async () => {
    await commit()
    const answer = printed(await run('memu', ['retrieve', '--track=skill', '--limit', '1', 'deploys and logins']))
    expect(answer.segments.map(({ source_file }) => source_file)).toEqual(['skill/fix-login'])
    expect(answer.files).toHaveLength(1)
  })

  it('names the tracks there are where the one asked for is none of them', async () => {
    expect(printed(await run('memu', ['retrieve', '--track', 'memroy', 'deploys'])).notice).not.toContain('memroy')
    await commit()
    const answer = printed(await run('memu', ['retrieve', '--track', 'memroy', 'deploys']))
    expect(answer).toMatchObject({ segments: [], files: [], notice: 'There is no track "memroy"; there are memory, skill.' })
    expect(printed(await run('memu', ['retrieve', '--track', 'memory', 'deploys']))).not.toHaveProperty('notice')
  })

  it('writes a copy, for reading alone, only where its content differs', async () => {
    await commit()
    const [{ path } = { path: '' }] = printed(await run('memu', ['retrieve', 'deploy'])).files
    const before = fs.statSync(path, { bigint: true })
    await run('memu', ['retrieve', 'deploy'])
    expect(fs.statSync(path, { bigint: true })).toMatchObject({ ino: before.ino, mtimeNs: before.mtimeNs })
    expect(before.mode & 0o777n).toBe(process.platform === 'win32' ? 0o666n : 0o400n)
    fs.chmodSync(path, 0o600)
    fs.writeFileSync(path, 'edited by someone')
    await run('memu', ['retrieve', 'deploy'])
    expect(fs.readFileSync(path, 'utf8')).toContain('Deploys go to staging first.')
  })

  it('answers where copies cannot be written, and says so', async () => {
    await commit()
    fs.writeFileSync(join(home, '.memu', 'view'), 'in the way')
    const ran = await run('memu', ['retrieve', 'deploy'])
    expect(ran.code).toBe(0)
    expect(printed(ran)).toMatchObject({
      notice: expect.stringContaining('could not be copied'),
      files: [{ path: null }, { path: null }],
    })
  })

  it.each(['text', 'markdown'])('prints %s for people, between the marks of memU where no terminal shows it', async (format) => {
    await commit()
    const ran = await run('memu', ['retrieve', '--format', format, 'deploy to staging'])
    expect(ran.stdout).toContain('Deploys go to staging first.')
    expect(ran.stdout).not.toContain('{')
    expect((await run('memu', ['retrieve', '--format', format, '--track', 'none', 'deploy'])).stdout).toMatch(
      /^<memu-recalled-\w+>\n.*\nNothing found\.\n<\/memu-recalled-\w+>\n$/s,
    )
  })

  it('prints its phases on stderr under MEMU_TIMING', async () => {
    await commit()
    const ran = await run('memu', ['retrieve', 'deploy'], '', { MEMU_TIMING: '1' })
    expect(printed(ran).segments).not.toHaveLength(0)
    expect(ran.stderr).toMatch(/^timing \(ms\): start [\d.]+ {2}settings \+[\d.]+ .* total [\d.]+\n$/)
  })
})

describe('memu commit', () => {
  it('says what it did, in words and as JSON', async () => {
    expect(await commit()).toMatchObject({ code: 0, stdout: 'files: 2 created; resources: 1 created\n', stderr: '' })
    fs.writeFileSync(join(home, 'payload.json'), `\uFEFF${PAYLOAD}`)
    const again = await run('memu', ['commit', 'payload.json', '--json'])
    expect(JSON.parse(again.stdout)).toMatchObject({
      recall_files: [{ change: 'unchanged' }, { change: 'unchanged' }],
      resources: [{ change: 'unchanged' }],
    })
  })

  it.each([
    ['not json', 'it is not JSON'],
    ['[]', 'The payload has to be an object'],
    ['{"recal_files": []}', 'recal_files is unknown'],
    ['{"recall_files": {}}', 'recall_files has to be a list'],
    ['{"recall_files": [{"name": "a", "content": "b"}, {"name": 7, "content": ""}]}', 'recall_files[1].name has to be a string'],
    ['{"resource": [{"url": "/x"}]}', 'resource[0].caption has to be a string'],
    ['{"user": {"user_id": 1}}', 'user.user_id has to be a string'],
  ])('refuses %s, names the place, and writes nothing', async (payload, message) => {
    const ran = await run('memu', ['commit'], payload)
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) })
    expect(fs.existsSync(join(home, '.memu', 'memory.db'))).toBe(false)
  })
})

describe('memu commit of what is no payload', () => {
  it('leads to the command that stores edited memory files', async () => {
    fs.writeFileSync(join(home, 'notes.md'), '- a fact')
    for (const ran of [await run('memu', ['commit', 'notes.md']), await run('memu', ['commit'], '- a fact')]) {
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(ran.stderr).toContain('To store edited memory files, run memu-<host> commit (claude-code, codex')
    }
  })
})

describe('memu list-files', () => {
  it('follows the pages of a store that has several', async () => {
    const files = Array.from({ length: 250 }, (_, index) => ({
      track: 'memory',
      name: `n${index}`,
      description: 'd',
      content: `line ${index}`,
    }))
    await run('memu', ['commit'], JSON.stringify({ recall_files: files }))
    const text = (await run('memu', ['list-files'])).stdout
    expect(text.trimEnd().split('\n')).toHaveLength(250)
    expect(text).toContain('memory/n249  d\n')
    const listed = JSON.parse((await run('memu', ['list-files', '--json'])).stdout) as { recall_files: { name: string; content: string }[] }
    expect(new Set(listed.recall_files.map(({ content }) => content)).size).toBe(250)
  })

  it('names the tracks there are where the one asked for is none of them', async () => {
    await commit()
    const note = 'note: There is no track "skills"; there are memory, skill.\n'
    expect((await run('memu', ['list-files', '--track', 'workspace'])).stderr).toBe('note: The track "workspace" holds nothing yet.\n')
    expect(await run('memu', ['list-files', '--track', 'skills'])).toEqual({ code: 0, stdout: 'No recall files.\n', stderr: note })
    expect(await run('memu', ['list-files', '--track', 'skills', '--json'])).toEqual({
      code: 0,
      stdout: '{"recall_files":[]}\n',
      stderr: note,
    })
  })

  it('tells a store that does not exist from an empty one, and a folder that is not there from a first day', async () => {
    const listed = (db: string): Promise<Ran> => run('memu', ['list-files'], '', { MEMU_DB: db })
    expect(await listed(':memory:')).toEqual({ code: 0, stdout: 'No recall files.\n', stderr: '' })
    expect((await listed(join(home, 'new.db'))).stderr).toBe(
      `note: The store ${join(home, 'new.db')} does not exist yet; the first commit makes it.\n`,
    )
    const typo = join(home, 'nope', 'x.db')
    expect((await listed(`sqlite:///${typo}`)).stderr).toContain(`The store ${typo} does not exist, nor does its folder.`)
    expect(fs.existsSync(join(home, 'nope'))).toBe(false)
  })

  it('says with --long how long, how old and from where, a line each', async () => {
    const provenance = {
      host: 'codex',
      sessions: ['6d0f6a3e-9d57-4d9f-8a54-0c1c44e0f6a1'],
      projects: ['/home/dev/shop'],
      from: '2026-02-01T10:00:00.000Z',
    }
    await run(
      'memu',
      ['commit'],
      JSON.stringify({ recall_files: [{ name: 'a', description: 'd', content: '- one\n\n- two', provenance }] }),
    )
    expect((await run('memu', ['list-files', '--long'])).stdout).toMatch(
      /^memory\/a\n {2}d\n {2}2 lines, 12 B, changed \d{4}-\d\d-\d\d \d\d:\d\d\n {2}from 1 session of codex \(6d0f6a3e\), 2026-02-01, in \/home\/dev\/shop\n$/,
    )
  })

  it('prints no control character that a name or description holds', async () => {
    await run('memu', ['commit'], JSON.stringify({ recall_files: [{ name: 'a\u001b[31mb', description: 'x\ny\u0007', content: 'c' }] }))
    expect((await run('memu', ['list-files', '--long'])).stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
  })
})

describe('memu history and memu restore', () => {
  const put = (content: string, name = 'a/b', track = 'memory'): Promise<Ran> =>
    run('memu', ['commit'], JSON.stringify({ recall_files: [{ track, name, content }] }))
  const forget = (name: string): Promise<Ran> => run('memu', ['commit'], JSON.stringify({ forget: [{ track: 'memory', name }] }))
  const stored = async (): Promise<string | undefined> =>
    (JSON.parse((await run('memu', ['list-files', '--json'])).stdout) as { recall_files: { content: string }[] }).recall_files[0]?.content

  it('take back the last change, and bring back what was forgotten', async () => {
    await put('first')
    await put('second')
    expect(await run('memu', ['restore', 'memory/a/b'])).toMatchObject({ code: 0, stderr: '' })
    expect(await stored()).toBe('first')
    await forget('a/b')
    expect(await stored()).toBeUndefined()
    await run('memu', ['restore', 'memory/a/b'])
    expect(await stored()).toBe('first')
  })

  it('list every version with what it changed, and go back to any of them', async () => {
    await put('- one\n- two')
    await put('- one\n- three')
    await put('- one\n- four')
    const history = (await run('memu', ['history', 'memory/a/b'])).stdout
    expect(history.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'TIME')).toBe(
      [
        'memory/a/b',
        '  3  TIME  updated',
        '     - three',
        '     + four',
        '  2  TIME  updated',
        '     - two',
        '     + three',
        '  1  TIME  created',
        '     + one',
        '     + two',
        '',
        'To go back: memu restore memory/a/b --at 2\n',
      ].join('\n'),
    )
    expect(await run('memu', ['restore', 'memory/a/b', '--at', '1'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('version 1'),
    })
    expect(await stored()).toBe('- one\n- two')
    expect((await run('memu', ['restore', 'memory/a/b', '--at', '1'])).stdout).toContain('already')
    expect(await run('memu', ['restore', 'memory/a/b', '--at', '9'])).toMatchObject({ code: 2, stdout: '' })
    const { versions } = JSON.parse((await run('memu', ['history', 'memory/a/b', '--json', '--limit', '2'])).stdout) as {
      versions: { version: number; change: string; content: string }[]
    }
    expect(versions).toMatchObject([
      { version: 4, change: 'restored', content: '- one\n- two' },
      { version: 3, change: 'updated', content: '- one\n- four' },
    ])
  })

  it('say of a file that never changed that there is nothing to go back to, and where that is seen', async () => {
    await put('first', 'once')
    expect(await run('memu', ['restore', 'once'])).toMatchObject({ code: 1, stderr: expect.stringContaining('memu history memory/once') })
  })

  it('find a file by its name alone, forgotten ones too, and say what is unclear or unknown', async () => {
    await put('first', 'preferences')
    await put('second', 'preferences')
    expect((await run('memu', ['restore', 'preferences'])).stdout).toBe(
      'Restored memory/preferences. The same command again takes this back.\n',
    )
    await forget('preferences')
    expect((await run('memu', ['history', 'preferences'])).stdout).toMatch(/^memory\/preferences\n {2}4 {2}.* forgotten\n {2}3 /)
    await put('x', 'preferences', 'skill')
    expect(await run('memu', ['restore', 'preferences'])).toMatchObject({
      code: 2,
      stderr: 'error: There are several files "preferences".\n  Name one: memory/preferences, skill/preferences.\n',
    })
    expect(await run('memu', ['history', 'PREF'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean skill/preferences?'),
    })
    expect(await run('memu', ['restore', 'nothing'])).toMatchObject({ code: 2, stderr: expect.stringContaining('memu list-files') })
  })
})

describe('memu reindex', () => {
  it('embeds the store with another provider, and draws no progress bar for nobody', async () => {
    await commit()
    expect(await run('memu', ['reindex'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Nothing to embed: every text has its vector of local /),
      stderr: '',
    })
  })
})

describe('MEMU_DEBUG', () => {
  it('adds the stack of an error, whether the environment or the file declares it', async () => {
    const stack = /^ {4}at /m
    expect((await run('memu', ['restore', 'x/y'])).stderr).not.toMatch(stack)
    expect((await run('memu', ['restore', 'x/y'], '', { MEMU_DEBUG: '1' })).stderr).toMatch(stack)
    fs.appendFileSync(join(home, '.memu', 'config.env'), 'MEMU_DEBUG=1\n')
    expect((await run('memu', ['restore', 'x/y'])).stderr).toMatch(stack)
  })
})

describe('a reader that goes away', () => {
  it('is success', async () => {
    const files = Array.from({ length: 400 }, (_, index) => ({ name: `n${index}`, content: 'x'.repeat(1000) }))
    await run('memu', ['commit'], JSON.stringify({ recall_files: files }))
    const child = spawn(process.execPath, [join(programs.bin, 'memu.cjs'), 'list-files', '--json'], { env: { ...process.env, HOME: home } })
    child.stdout.once('data', () => child.stdout.destroy())
    let stderr = ''
    child.stderr.on('data', (text: Buffer) => (stderr += text.toString()))
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
    expect(stderr).toBe('')
  })
})

describe('Ctrl-C', () => {
  it.skipIf(process.platform === 'win32')('ends a reindex with 130, and the store is as it was', async () => {
    await commit()
    let heard = (): void => {}
    const asked = new Promise<void>((resolve) => {
      heard = resolve
    })
    const server = await jsonServer((request, count) => {
      if (count === 1) return openaiReply(request) // The model is asked for its dimensions.
      heard()
      return { trouble: 'hang' }
    })
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      MEMU_EMBED_PROVIDER: 'openai-compatible',
      MEMU_EMBED_MODEL: 'm',
      MEMU_BASE_URL: server.url,
    }
    const child = spawn(process.execPath, [join(programs.bin, 'memu.cjs'), 'reindex'], { env })
    let stderr = ''
    child.stderr.on('data', (text: Buffer) => (stderr += text.toString()))
    await asked
    child.kill('SIGINT')
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(130)
    await server.close()
    expect(stderr).toBe('error: Interrupted; what was finished is kept.\n')
    expect(printed(await run('memu', ['retrieve', 'deploy']))).not.toHaveProperty('notice')
  })
})

describe('a pipe that is read slowly', () => {
  // Node's own stream switches the descriptor over; a full pipe then refuses what is written to it.
  const doesNotBlock = (): string[] => {
    const hook = join(home, 'hook.cjs')
    fs.writeFileSync(hook, 'process.stdout')
    return ['-r', hook]
  }

  it.skipIf(process.platform === 'win32').each([
    ['blocks the writer', () => []],
    ['refuses what it cannot hold', doesNotBlock],
  ])('gets everything, in order, where it %s', async (_name, node) => {
    const files = Array.from({ length: 900 }, (_, index) => ({ name: `n${index}`, content: `${index} `.padEnd(1000, 'x') }))
    await run('memu', ['commit'], JSON.stringify({ recall_files: files }))
    const args = [...node(), join(programs.bin, 'memu.cjs'), 'list-files', '--json']
    const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH, HOME: home } })
    let stdout = ''
    let stderr = ''
    child.stderr.on('data', (text: Buffer) => (stderr += text.toString()))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      child.stdout.pause()
      setImmediate(() => child.stdout.resume())
    })
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
    expect(stderr).toBe('')
    expect((JSON.parse(stdout) as { recall_files: unknown[] }).recall_files).toHaveLength(900)
  })
})

describe('memu demo', () => {
  it('shows the loop without touching the home of the user', async () => {
    const before = fs.readdirSync(home, { recursive: true })
    const ran = await run('memu', ['demo'])
    expect(ran).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Asked  5 questions') })
    expect(fs.readdirSync(home, { recursive: true })).toEqual(before)
    expect(await run('memu', ['demo', '--sessions', 'nowhere'])).toMatchObject({ code: 2, stdout: '' })
  })
})
