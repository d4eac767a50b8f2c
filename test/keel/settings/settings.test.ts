import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FIELDS } from '../../../src/keel/server/pages/notice.ts'
import { changeSettings } from '../../../src/keel/settings/change.ts'
import { readSettingsFile, writeSettingsFile } from '../../../src/keel/settings/file.ts'
import { about, InvalidSetting } from '../../../src/keel/settings/invalid-setting.ts'
import { complaintsAbout, loadSettings } from '../../../src/keel/settings/load.ts'
import { settingsFile } from '../../../src/keel/settings/place.ts'
import { resolveSettings, seedFromEnv } from '../../../src/keel/settings/seed.ts'
import { SETTINGS } from '../../../src/keel/settings/settings.ts'
import { HIDDEN, viewSettings } from '../../../src/keel/settings/show.ts'
import { MemuError } from '../../../src/util/errors.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'
import { modeOf, settingsWorld } from './world.ts'

const isWindows = process.platform === 'win32'

describe('the seed from the environment', () => {
  it('TestSeedFromEnvAWURL: takes the address of ActivityWatch', () => {
    expect(seedFromEnv({ KEEL_AW_URL: 'http://aw.example:9999' }).aw_url).toBe('http://aw.example:9999')
  })

  it('TestSeedFromEnvAWURLDefault: an empty variable is the default', () => {
    expect(seedFromEnv({ KEEL_AW_URL: '' }).aw_url).toBe('http://localhost:5600')
    expect(seedFromEnv({}).aw_url).toBe('http://localhost:5600')
  })

  it('has every setting, and works without any', () => {
    expect(seedFromEnv({})).toEqual(Object.fromEntries(SETTINGS.map((row) => [row.key, row.default])))
    const env = Object.fromEntries(SETTINGS.map((row) => [row.env, `x ${row.key} `]))
    expect(seedFromEnv(env)).toEqual(Object.fromEntries(SETTINGS.map((row) => [row.key, `x ${row.key}`])))
  })

  it("has the seed's four variables", () => {
    const env = { KEEL_AI_BACKEND: 'claude', KEEL_MARVIN_CMD: 'marvin -q', KEEL_KNOWLEDGE_FILE: '~/goals.md', KEEL_AW_URL: 'http://x' }
    expect(seedFromEnv(env)).toMatchObject({
      ai_backend: 'claude',
      marvin_cmd: 'marvin -q',
      knowledge_path: '~/goals.md',
      aw_url: 'http://x',
    })
  })
})

describe('settings', () => {
  it('are those of the environment, then those of the file, then the defaults, and say which', () => {
    const found = resolveSettings({ KEEL_AI_BACKEND: 'Codex ' }, { ai_backend: 'claude', ai_model: 'small', aw_url: '' })
    expect(found.values).toMatchObject({ ai_backend: 'codex', ai_model: 'small', aw_url: 'http://localhost:5600' })
    expect(found.sources).toMatchObject({ ai_backend: 'environment', ai_model: 'file', aw_url: 'default' })
    expect(found.complaints).toEqual([])
  })

  it.each([
    [true, 'on'],
    [false, 'off'],
    ['NO', 'off'],
    ['1', 'on'],
    ['maybe', 'maybe'],
    [null, 'on'],
  ])('take %j in the file for the switch "%s"', (value, expected) => {
    expect(resolveSettings({}, { screen_time: value }).values.screen_time).toBe(expected)
  })

  it('tell what in the file is no value, and what nobody knows, without the values', () => {
    const { complaints, values } = resolveSettings({}, { ai_key: { secret: 'abc' }, ai_bakend: 'claude', tasks: [] })
    expect(values.ai_key).toBe('')
    expect(complaints).toEqual([
      'ai_key is neither a text nor a switch, and is passed over',
      'tasks is neither a text nor a switch, and is passed over',
      'nothing is known of "ai_bakend"',
    ])
  })

  it('name a handful of what nobody knows', () => {
    const file = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`k${index}`, 1]))
    expect(resolveSettings({}, file).complaints).toEqual(['nothing is known of "k0", "k1", "k2", "k3", "k4" and 195 more'])
  })

  it('never fail, whatever the file holds', () => {
    const file = fc.dictionary(fc.oneof(fc.constantFrom(...SETTINGS.map(({ key }) => key), '__proto__'), fc.string()), fc.jsonValue())
    fc.assert(
      fc.property(file, (content) => {
        const { values } = resolveSettings({}, content)
        expect(Object.values(values).every((value) => typeof value === 'string')).toBe(true)
      }),
    )
  })
})

describe('the file of settings', () => {
  it.each([
    ['linux', { XDG_CONFIG_HOME: '/x' }, '/x/keel/settings.json'],
    ['linux', {}, '/home/a/.config/keel/settings.json'],
    ['linux', { XDG_CONFIG_HOME: 'rel' }, '/home/a/.config/keel/settings.json'],
    ['linux', { XDG_CONFIG_HOME: '~/x' }, '/home/a/.config/keel/settings.json'],
    ['darwin', {}, '/home/a/Library/Application Support/keel/settings.json'],
    ['win32', { APPDATA: '/roaming' }, '/roaming/keel/settings.json'],
    ['win32', {}, '/home/a/AppData/Roaming/keel/settings.json'],
    ['linux', { KEEL_CONFIG: '~/k.json' }, '/home/a/k.json'],
    ['linux', { KEEL_CONFIG: 'k.json' }, '/work/k.json'],
  ] as const)('lies on %s with %j in %s', (platform, env, expected) => {
    expect(settingsFile({ platform, env, home: '/home/a', cwd: '/work' })).toBe(expected)
  })

  it('is whole and private after a write, with folders of its own', () => {
    const { path } = settingsWorld()
    writeSettingsFile(readSettingsFile(path), { ai_backend: 'claude' })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ ai_backend: 'claude' })
    if (!isWindows) expect(modeOf(path)).toBe(0o600)
  })

  it('becomes private again where it was not, and stays the link that it is', () => {
    const { path, write, system } = settingsWorld()
    write({ ai_key: 'k' })
    if (isWindows) return
    chmodSync(path, 0o644)
    const link = join(system.home, 'link.json')
    symlinkSync(path, link)
    const file = readSettingsFile(link)
    expect(file.isOpen).toBe(true)
    writeSettingsFile(file, { ai_key: 'k', tasks: 'none' })
    expect(modeOf(path)).toBe(0o600)
    expect(readSettingsFile(path).content).toEqual({ ai_key: 'k', tasks: 'none' })
  })

  it('may be empty, or begin with a mark of its encoding', () => {
    const { path, write } = settingsWorld()
    write(' \n')
    expect(readSettingsFile(path)).toMatchObject({ content: {} })
    write('\ufeff{"tasks":"none"}')
    expect(readSettingsFile(path).content).toEqual({ tasks: 'none' })
  })

  it.each([
    ['{"ai_key": "abcdef', 'it is not valid JSON'],
    ['[]', 'it holds no JSON object'],
    ['null', 'it holds no JSON object'],
    ['"x"', 'it holds no JSON object'],
  ])('that says %s is left as it is, told to the log without its words, and never written to', (text, problem) => {
    const { path, write, system } = settingsWorld({ KEEL_TASKS: 'none' })
    write(text)
    const loaded = loadSettings(path, system)
    expect(loaded.values.tasks).toBe('none')
    expect(complaintsAbout(loaded)).toEqual([`settings: cannot read ${path} (${problem}); going on with the environment and the defaults`])
    expect(() => writeSettingsFile(loaded.file, {})).toThrow(expect.objectContaining({ code: 'settings_unreadable' }))
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it('that is larger than any settings is not read', () => {
    const { path, write, system } = settingsWorld()
    write(JSON.stringify({ tasks: 'none' }).padEnd(256 * 1024))
    expect(loadSettings(path, system).values.tasks).toBe('none')
    truncateSync(path, 1024 ** 3)
    const loaded = loadSettings(path, system)
    expect(loaded.file.problem).toBe('it is larger than 256 KiB')
    expect(loaded.values.tasks).toBe('auto')
    expect(() => writeSettingsFile(loaded.file, {})).toThrow(expect.objectContaining({ code: 'settings_unreadable' }))
  })

  it('that is a folder is told and not written to', () => {
    const { path } = settingsWorld()
    mkdirSync(path, { recursive: true })
    const file = readSettingsFile(path)
    expect(file.problem).toMatch(/EISDIR/)
    expect(() => writeSettingsFile(file, {})).toThrow(expect.objectContaining({ code: 'settings_unreadable' }))
  })

  it('that others may read is told to the log where a key lies in it', () => {
    const { path, write, system } = settingsWorld()
    write({ ai_key: 'sk-abcdef' })
    if (isWindows) return
    expect(complaintsAbout(loadSettings(path, system))).toEqual([])
    chmodSync(path, 0o640)
    const lines = complaintsAbout(loadSettings(path, system))
    expect(lines).toEqual([`settings: others may read ${path}, which holds a key: chmod 600 helps`])
  })
})

describe('a change on the page', () => {
  const change = (world: ReturnType<typeof settingsWorld>, values: Record<string, string>) =>
    changeSettings(loadSettings(world.path, world.system), values, world.system)
  const refused = (world: ReturnType<typeof settingsWorld>, values: Record<string, string>): InvalidSetting => {
    try {
      change(world, values)
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidSetting)
      return error as InvalidSetting
    }
    throw new Error('it was accepted')
  }

  it('goes into the file beside what is there, known or not, and takes defaults out', () => {
    const world = settingsWorld()
    world.write({ theme: { dark: true }, tasks: 'none', ai_model: 'small', marvin_cmd: 'x' })
    const { content, lines } = change(world, { ai_backend: ' OLLAMA ', tasks: 'auto', ai_model: '', memu: 'on' })
    expect(content).toEqual({ theme: { dark: true }, marvin_cmd: 'x', ai_backend: 'ollama' })
    expect(lines).toEqual(['ai_backend is ollama', 'tasks is auto', 'ai_model is empty'])
  })

  it.each([
    ['ai_backend', 'gpt'],
    ['tasks', 'paper'],
    ['memory', 'cloud'],
    ['screen_time', 'maybe'],
    ['ai_model', 'x'.repeat(1001)],
    ['nonsense', 'x'],
    ['__proto__', 'x'],
    ['constructor', 'x'],
  ])('of %s to %j is refused, and names the field', (key, value) => {
    expect(refused(settingsWorld(), { [key]: value })).toMatchObject({ code: 'invalid_setting', key, exit: 2 })
  })

  it('of what is no text is refused', () => {
    expect(refused(settingsWorld(), { tasks: 5 as unknown as string }).key).toBe('tasks')
  })

  it('never sets a command, a key or a file that is written to', () => {
    const world = settingsWorld()
    for (const { key, guarded } of SETTINGS.filter((row) => row.guarded !== undefined)) {
      const error = refused(world, { [key]: '/bin/sh -c evil' })
      expect(error.key, guarded).toBe(key)
      expect(error.hint).toMatch(/never set/)
    }
    const guarded = SETTINGS.filter((row) => row.guarded !== undefined).map(({ key }) => key)
    expect(guarded).toEqual(['ai_key', 'ai_program', 'marvin_cmd', 'marvin_token', 'todo_txt', 'todoist_token', 'aw_api_key'])
  })

  it('never sets what the environment sets; the same value is no change', () => {
    const world = settingsWorld({ KEEL_AI_MODEL: 'small' })
    expect(refused(world, { ai_model: 'large' }).hint).toBe('KEEL_AI_MODEL in the environment sets it.')
    expect(change(world, { ai_model: 'small' })).toEqual({ content: {}, lines: [] })
  })

  it('never sends a key to another address', () => {
    const world = settingsWorld({ KEEL_AI_KEY: 'sk-1' })
    world.write({ aw_api_key: 'k' })
    expect(refused(world, { ai_url: 'http://evil.example' }).key).toBe('ai_url')
    expect(refused(world, { aw_url: 'http://evil.example' }).key).toBe('aw_url')
    expect(change(settingsWorld(), { ai_url: 'http://127.0.0.1:8080' }).content).toEqual({ ai_url: 'http://127.0.0.1:8080' })
  })

  it.each(['~/goals.md', '~/notes/ziele.TXT', '$HOME/a/b.org'])('may name the notes %s', (path) => {
    expect(change(settingsWorld(), { knowledge_path: path }).content).toEqual({ knowledge_path: path })
  })

  it.each(['~/.ssh/id_rsa', '~/.ssh/x.md', '/etc/passwd', '../other/goals.md', '~/goals', '/proc/self/environ.txt', '~/a/../../x.md'])(
    'never names the file %s as notes: its text is shown and sent',
    (path) => {
      expect(refused(settingsWorld(), { knowledge_path: path }).key).toBe('knowledge_path')
    },
  )

  it('names notes by their whole path: where the program was started is nobody’s business', () => {
    for (const path of ['goals.md', './goals.md', 'notes/ziele.txt']) {
      expect(refused(settingsWorld(), { knowledge_path: path }).hint, path).toContain('~/')
    }
    const world = settingsWorld()
    const whole = join(world.system.home, 'goals.md')
    expect(change(world, { knowledge_path: whole }).content).toEqual({ knowledge_path: whole })
  })

  it.skipIf(isWindows)('may name notes that are not there yet in a home that is a link', () => {
    const world = settingsWorld()
    const home = join(temporaryFolder(), 'home')
    symlinkSync(world.system.home, home)
    const system = { ...world.system, home }
    for (const path of ['~/later.md', '~/notes/later.md', join(home, 'later.md')]) {
      expect(changeSettings(loadSettings(world.path, system), { knowledge_path: path }, system).content).toEqual({ knowledge_path: path })
    }
  })

  it.skipIf(isWindows)('never names notes that a link puts outside of the home, or into a hidden folder', () => {
    const world = settingsWorld()
    const { home } = world.system
    mkdirSync(join(home, '.ssh'))
    writeFileSync(join(home, '.ssh', 'id.txt'), 'k')
    symlinkSync(join(home, '.ssh'), join(home, 'keys'))
    symlinkSync('/etc/passwd', join(home, 'x.md'))
    for (const path of ['~/keys/id.txt', '~/x.md']) expect(refused(world, { knowledge_path: path }).key).toBe('knowledge_path')
    mkdirSync(join(home, 'notes'))
    writeFileSync(join(home, 'notes', 'a.md'), '')
    symlinkSync(join(home, 'notes', 'a.md'), join(home, 'goals.md'))
    expect(change(world, { knowledge_path: '~/goals.md' }).content).toEqual({ knowledge_path: '~/goals.md' })
  })

  it('puts control characters nowhere', () => {
    const { content } = change(settingsWorld(), { todoist_filter: ' today\n& #home\u0007 ' })
    expect(content).toEqual({ todoist_filter: 'today & #home' })
  })
})

describe('the view of the settings', () => {
  it('shows values with where they come from, and why some cannot be changed', () => {
    const world = settingsWorld({ KEEL_AI_BACKEND: 'claude' })
    world.write({ tasks: 'none' })
    const view = viewSettings(loadSettings(world.path, world.system))
    expect(view.map(({ key }) => key)).toEqual(SETTINGS.map(({ key }) => key))
    expect(view.find(({ key }) => key === 'ai_backend')).toMatchObject({
      value: 'claude',
      source: 'environment',
      locked: 'KEEL_AI_BACKEND in the environment sets it.',
    })
    expect(view.find(({ key }) => key === 'tasks')).toMatchObject({ value: 'none', source: 'file' })
    expect(view.find(({ key }) => key === 'tasks')).not.toHaveProperty('locked')
    expect(view.find(({ key }) => key === 'aw_url')).toMatchObject({ value: 'http://localhost:5600', source: 'default' })
  })

  it('shows nothing of a secret, nor the arguments of a command', () => {
    const secrets = {
      ai_key: 'sk-abcdef',
      marvin_token: 'tok-1=',
      todoist_token: 't2',
      aw_api_key: 'k3',
      marvin_cmd: 'marvin --api-token hidden9',
    }
    const world = settingsWorld()
    world.write(secrets)
    const view = viewSettings(loadSettings(world.path, world.system))
    const text = JSON.stringify(view)
    for (const secret of ['sk-abcdef', 'tok-1', 't2"', 'k3"', 'hidden9']) expect(text).not.toContain(secret)
    expect(view.find(({ key }) => key === 'ai_key')!.value).toBe(HIDDEN)
    expect(view.find(({ key }) => key === 'marvin_cmd')!.value).toBe('marvin …')
    expect(view.filter(({ value }) => value === HIDDEN)).toHaveLength(4)
  })
})

describe('an error about a setting', () => {
  it('keeps the code of a proposer that is none, the words and the hint, and names the field', async () => {
    const cause = new MemuError('invalid_backend', 'No such proposer.', { hint: 'Choose.' })
    const error = await about('ai_backend', () => Promise.reject(cause)).catch((caught: InvalidSetting) => caught)
    expect(error).toMatchObject({ code: 'invalid_backend', key: 'ai_backend', message: 'No such proposer.', hint: 'Choose.', cause })
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      code: 'invalid_backend',
      message: 'No such proposer.',
      hint: 'Choose.',
      key: 'ai_backend',
    })
  })
})

it('nothing is written by reading', () => {
  const { path, system } = settingsWorld()
  loadSettings(path, system)
  expect(existsSync(path)).toBe(false)
})

it('the page about Keel has every setting with its variable and its default', () => {
  const page = readFileSync(new URL('../../../docs/keel.md', import.meta.url), 'utf8')
  for (const row of SETTINGS) {
    const line = page.split('\n').find((text) => text.startsWith(`| \`${row.key}\` | \`${row.env}\` |`))
    expect(line, row.key).toBeDefined()
    if (row.default !== '') expect(line).toContain(`| \`${row.default}\` |`)
    expect(line!.includes('| no: '), row.key).toBe('guarded' in row)
  }
})

it('what the page says in place of a variable is what it calls the field', () => {
  const open = SETTINGS.filter(({ guarded }) => guarded === undefined)
  expect(FIELDS).toEqual(Object.fromEntries(open.map(({ env, label }) => [env, label])))
})
