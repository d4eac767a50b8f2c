import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CONFIG_KEYS } from '../../src/config/keys.ts'
import { configFilePath, resolveSettings, type SettingsInput } from '../../src/config/settings.ts'

const HOME = '/home/user'
const FILE = join(HOME, '.memu', 'config.env')

function resolved(file: Record<string, string>, env: SettingsInput['env'] = {}) {
  return resolveSettings({ file: new Map(Object.entries(file)), env, configFile: FILE, home: HOME, cwd: '/home/dev' })
}

describe('resolving the settings', () => {
  it('takes the environment before the file before the default', () => {
    const file = { MEMU_EMBED_PROVIDER: 'jina' }
    expect(resolved(file, { MEMU_EMBED_PROVIDER: 'voyage' }).embedding.provider).toBe('voyage')
    expect(resolved(file).embedding.provider).toBe('jina')
    expect(resolved({}).embedding.provider).toBe('local')
  })

  it('never guesses a store', () => {
    expect(resolved({}).db).toBeUndefined()
  })

  it('takes an empty variable for an absent one', () => {
    expect(resolved({ MEMU_DB: '/file.db' }, { MEMU_DB: '' }).db).toBe('/file.db')
    expect(resolved({ MEMU_EMBED_MODEL: '' }).embedding).toEqual({ provider: 'local' })
  })

  it.each(CONFIG_KEYS.filter((entry) => entry.emptyWins).map((entry) => entry.key))(
    'lets a declared empty %s win, since empty is its off position',
    (key) => {
      expect(resolved({ [key]: 'set' }, { [key]: '' }).value(key)).toBe('')
      expect(resolved({ [key]: '' }).value(key)).toBe('')
      expect(resolved({ [key]: 'set' }).value(key)).toBe('set')
    },
  )

  it('reads the older MEMU_LLM_PROVIDER only where MEMU_EMBED_PROVIDER is declared nowhere', () => {
    expect(resolved({ MEMU_LLM_PROVIDER: 'openai' }).embedding.provider).toBe('openai')
    expect(resolved({ MEMU_EMBED_PROVIDER: 'jina' }, { MEMU_LLM_PROVIDER: 'openai' }).embedding.provider).toBe('jina')
  })

  it('refuses a mode that does not exist, and names the key and the file', () => {
    expect(() => resolved({ MEMU_MEMORY_MODE: 'colud' })).toThrow(
      expect.objectContaining({
        code: 'invalid_config',
        exit: 2,
        message: expect.stringContaining('MEMU_MEMORY_MODE'),
        hint: expect.stringContaining(FILE),
      }),
    )
  })

  it('makes a path absolute, so that two working directories open one store', () => {
    expect(resolved({ MEMU_DB: '~/memory.db' }).db).toBe(join(HOME, 'memory.db'))
    expect(resolved({ MEMU_DB: 'memory.db' }).db).toBe(join(HOME, '.memu', 'memory.db'))
    expect(resolved({}, { MEMU_DB: 'memory.db' }).db).toBe('/home/dev/memory.db')
    expect(resolved({ MEMU_DB: 'sqlite:///memory.db' }).db).toBe(`sqlite:///${join(HOME, '.memu', 'memory.db')}`)
    for (const dsn of [':memory:', 'sqlite:////abs.db', 'postgres://u@h/db', '/abs.db']) expect(resolved({ MEMU_DB: dsn }).db).toBe(dsn)
  })

  it.each([
    ['$HOME/v.db', '$HOME', '~/v.db'],
    [`\${HOME}/v.db`, `\${HOME}`, '~/v.db'],
    ['/data/$USER/v.db', '$USER', 'in full'],
    ['%USERPROFILE%\\v.db', '%USERPROFILE%', '~\\v.db'],
    ['sqlite:///$HOME/v.db', '$HOME', '~/v.db'],
    ['~other/v.db', '~other', 'in full'],
    ['sqlite:x.db', 'sqlite:', 'MEMU_DB=x.db'],
    ['sqlite://x.db', 'sqlite:', 'MEMU_DB=x.db'],
    ['sqlite:/abs/x.db', 'sqlite:', 'MEMU_DB=/abs/x.db'],
    ['file:x.db?mode=ro', 'file:', 'MEMU_DB=x.db'],
    ['file:///abs/x.db', 'file:', 'MEMU_DB=/abs/x.db'],
    ['FILE:', 'FILE:', 'MEMU_DB=~/.memu/memory.db'],
    ['localhost:5432/memory', 'localhost:', './'],
  ])('refuses MEMU_DB=%s, which would make a file of that very name, and says what to write', (db, named, better) => {
    for (const [file, env, place] of [
      [{ MEMU_DB: db }, {}, FILE],
      [{}, { MEMU_DB: db }, 'the environment'],
    ] as const) {
      const error = expect.objectContaining({ code: 'invalid_config', exit: 2, message: expect.stringContaining(named) })
      expect(() => resolved(file, env)).toThrow(error)
      expect(() => resolved(file, env)).toThrow(expect.objectContaining({ hint: expect.stringContaining(better) }))
      expect(() => resolved(file, env)).toThrow(expect.objectContaining({ hint: expect.stringContaining(place) }))
    }
  })

  it('takes a scheme in any case, and a dollar or a percent sign within a name for what it is', () => {
    expect(resolved({ MEMU_DB: 'Postgres://u@h/Db' }).db).toBe('postgres://u@h/Db')
    expect(resolved({ MEMU_DB: 'SQLite:////abs.db' }).db).toBe('sqlite:////abs.db')
    for (const path of ['/a$b/100%.db', '/$/x.db', '/a/~b/x.db', '/a:b/x.db']) expect(resolved({ MEMU_DB: path }).db).toBe(path)
    for (const memory of [':memory:', 'sqlite://', 'sqlite:///:memory:']) expect(resolved({ MEMU_DB: memory }).db).toBe(memory)
  })

  it('lets NO_PROXY of the file through without overriding the environment, whichever case it is written in', () => {
    expect(resolved({ NO_PROXY: 'file.example' }).value('NO_PROXY')).toBe('file.example')
    expect(resolved({ NO_PROXY: 'file.example' }, { no_proxy: 'env.example' }).value('NO_PROXY')).toBe('env.example')
    expect(resolved({ NO_PROXY: 'file.example' }, { NO_PROXY: 'env.example' }).value('NO_PROXY')).toBe('env.example')
  })

  it('finds the file where MEMU_CONFIG_ENV says, and else in the home directory', () => {
    expect(configFilePath({}, HOME, '/home/dev')).toBe(FILE)
    expect(configFilePath({ MEMU_CONFIG_ENV: '' }, HOME, '/home/dev')).toBe(FILE)
    expect(configFilePath({ MEMU_CONFIG_ENV: '~/other.env' }, HOME, '/home/dev')).toBe(join(HOME, 'other.env'))
    expect(configFilePath({ MEMU_CONFIG_ENV: 'here.env' }, HOME, '/home/dev')).toBe('/home/dev/here.env')
    expect(() => configFilePath({ MEMU_CONFIG_ENV: '$HOME/here.env' }, HOME, '/home/dev')).toThrow(
      expect.objectContaining({ code: 'invalid_config', hint: expect.stringContaining('~/here.env') }),
    )
  })

  it.each(['1', 'true', 'yes'])('takes MEMU_DEBUG=%s for on', (on) => expect(resolved({}, { MEMU_DEBUG: on }).debug).toBe(true))
  it.each(['', '0', 'false', 'off'])('takes MEMU_DEBUG=%j for off', (off) => expect(resolved({}, { MEMU_DEBUG: off }).debug).toBe(false))
})
