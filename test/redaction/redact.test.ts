import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../src/redaction/redact.ts'
import { RULES } from '../../src/redaction/rules.ts'
import { example, SAMPLES } from './samples.ts'

const redact = createRedactor()
const GITHUB = `ghp_${'a1B2'.repeat(9)}`
const HINTS = RULES.flatMap(({ hints }) => hints)

/** Text that looks a little like secrets everywhere. */
const noise = fc
  .array(
    fc.oneof(
      fc.constantFrom(...HINTS, '=', ': ', '"', "'", ' ', '\n', '\\n', '[removed: jwt]', 'x', 'Wren!55', '4821'),
      fc.string({ maxLength: 12 }),
    ),
    {
      maxLength: 30,
    },
  )
  .map((parts) => parts.join(''))

describe('redacting', () => {
  it.each([
    [`GITHUB_TOKEN=${GITHUB}`, 'GITHUB_TOKEN=[removed: github-token]'],
    [`{"password":"Wren!55","a":1}`, '{"password":"[removed: password]","a":1}'],
    ['postgres://app:Wren!55@db:5432/x', 'postgres://app:[removed: url-password]@db:5432/x'],
    ['mysql -u root -pWren!55 shop', 'mysql -u root -p[removed: argument] shop'],
    ["--password 'Wren!55' --verbose", "--password '[removed: argument]' --verbose"],
    ['Authorization: Basic dXNlcjpXcmVuITU1', 'Authorization: Basic [removed: basic-authorization]'],
    ['the password is Wren!55, do not tell', 'the password is [removed: password], do not tell'],
  ])('keeps the name, the quotes and what stands around (%j)', (text, expected) => expect(redact(text).text).toBe(expected))

  it('counts what each rule removed', () => {
    const { found } = redact(`a ${GITHUB} b ${GITHUB} and password="Wren!55"`)
    expect([...found]).toEqual([
      ['github-token', 2],
      ['password', 1],
    ])
  })

  it('returns the same string and no findings where there is nothing', () => {
    const text = 'const { token } = await client.refresh(token) // commit 9fceb02d0ae598e95dc970b74767f19372d61af8'
    expect(redact(text)).toEqual({ text, found: new Map() })
  })

  it('removes a secret once, by the name of the most special rule', () => {
    expect([...redact(`curl -H "Authorization: Bearer ${GITHUB}"`).found.keys()]).toEqual(['github-token'])
  })

  it('removes a secret behind as many names of secrets without one as a record can hold', () => {
    const names = 'token, password: '.repeat(2400)
    expect(redact(`${names}\nAPI_TOKEN=aB3dE5fG7hI9jK1lM3\nDB_PASSWORD=Wren!55x`).text).toBe(
      `${names}\nAPI_TOKEN=[removed: password]\nDB_PASSWORD=[removed: password]`,
    )
  })

  it('removes a long value to its end', () => {
    expect(redact(`api_key="${'aB3dE5fG7hI9jK1lM3nO5pQ7rS9t'.repeat(400)}" next`).text).toBe('api_key="[removed: secret]" next')
  })

  it('keeps JSON what it is', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SAMPLES), fc.nat(), (template, seed) => {
        const line = JSON.stringify({ role: 'user', content: example(template, () => (seed % 997) / 997).text })
        expect(() => JSON.parse(redact(line).text)).not.toThrow()
      }),
    )
  })

  it('changes nothing more the second time', () => {
    fc.assert(
      fc.property(noise, (text) => {
        const once = redact(text).text
        expect(redact(once)).toEqual({ text: once, found: new Map() })
      }),
      { numRuns: 2000 },
    )
  })

  it('returns text without any hint as it is', () => {
    const lowerHints = HINTS.map((hint) => hint.toLowerCase())
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        fc.pre(!lowerHints.some((hint) => text.toLowerCase().includes(hint)))
        expect(redact(text)).toEqual({ text, found: new Map() })
      }),
    )
  })
})

describe('what looks like a secret and is none', () => {
  it.each([
    ['a command of PowerShell', '$env:PGPASSWORD = Read-Host -MaskInput "Password"'],
    ['what a field of Go is called', 'Password string `json:"password,omitempty"`'],
    ['the id of a public key', '[user]\n\tsigningkey = 8C01A5B6D7E2F390'],
    ['what passes', 'all pass for linux: ubuntu22'],
  ])('stays as it is: %s', (_what, text) => expect(createRedactor()(text).text).toBe(text))
})

describe('redacting what is known', () => {
  const value = 'plain words/42 "q"'
  const known = createRedactor([{ name: 'memu-key', value }])

  it.each([
    ['as it is', value],
    ['in JSON', JSON.stringify(value).slice(1, -1)],
    ['in a URL', encodeURIComponent(value)],
    ['in base64', Buffer.from(value).toString('base64')],
  ])('removes it %s', (_how, form) => expect(known(`a ${form} b`).text).toBe('a [removed: memu-key] b'))

  it('removes it from within a longer base64 value, wherever it begins there', () => {
    for (const user of ['a', 'ab', 'abc']) {
      const result = known(`x ${Buffer.from(`${user}:${value}`).toString('base64')} y`).text
      expect(result).toContain('[removed: memu-key]')
      expect(Buffer.from(result.replace(/\[.*\]/, '').slice(2, -2), 'base64').toString('latin1')).not.toMatch(/words|42/)
    }
  })

  it('never takes the name of a rule for a secret', () => {
    const named = createRedactor([{ name: 'memu-key', value: 'removed' }])
    expect(named(`removed ${GITHUB}`).text).toBe('[removed: memu-key] [removed: github-token]')
  })

  it('leaves values alone that are too short to be told from other text', () => {
    expect(createRedactor([{ name: 'memu-key', value: 'abc' }])('abcabc').text).toBe('abcabc')
  })
})
