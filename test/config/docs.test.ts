import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CONFIG_KEYS } from '../../src/config/keys.ts'
import { PROVIDERS } from '../../src/embedding/providers.ts'

describe('docs/config.md', () => {
  const docs = readFileSync('docs/config.md', 'utf8')

  it('has one row a key, in the words of the table in the code', () => {
    const rows = CONFIG_KEYS.map(({ key, about, secret, emptyWins }) => {
      const marks = `${secret ? ' *secret*' : ''}${emptyWins ? ' *empty wins*' : ''}`
      return `| \`${key}\` | ${about.replaceAll('|', '\\|')}${marks} |`
    })
    expect(docs).toContain(rows.join('\n'))
  })

  it('has one row a provider, with its default model', () => {
    for (const { name, model } of PROVIDERS) expect(docs).toContain(`| \`${name}\` | ${model === undefined ? 'none' : `\`${model}\``} |`)
  })
})
