import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CONFIG_KEYS } from '../../src/config/keys.ts'
import { PROVIDERS } from '../../src/embedding/providers.ts'

describe('docs/config.md', () => {
  const docs = readFileSync('docs/config.md', 'utf8')

  it.each([
    ['## Keys\n', CONFIG_KEYS.filter(({ later }) => later !== true)],
    ['## Keys of later versions\n', CONFIG_KEYS.filter(({ later }) => later === true)],
  ])('has under %j one row a key, in the words of the table in the code', (title, keys) => {
    const rows = keys.map(({ key, about, secret, emptyWins }) => {
      const marks = `${secret ? ' *secret*' : ''}${emptyWins ? ' *empty wins*' : ''}`
      return `| \`${key}\` | ${about.replaceAll('|', '\\|')}${marks} |`
    })
    const section = docs.slice(docs.indexOf(title) + title.length).split('\n## ')[0]!
    expect(section.split('\n').filter((line) => line.startsWith('| `'))).toEqual(rows)
  })

  it('marks as of later versions just the keys that no code reads', () => {
    const code = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !/config.(?:keys|client-id|defaults)\.ts$/.test(path))
      .map((path) => readFileSync(join('src', path), 'utf8'))
      .join('\n')
    const unread = CONFIG_KEYS.filter(({ key }) => !new RegExp(`\\b${key}\\b`).test(code)).map(({ key }) => key)
    expect(CONFIG_KEYS.filter(({ later }) => later === true).map(({ key }) => key)).toEqual(unread)
  })

  it('has one row a provider, with its default model', () => {
    for (const { name, model } of PROVIDERS) expect(docs).toContain(`| \`${name}\` | ${model === undefined ? 'none' : `\`${model}\``} |`)
  })
})
