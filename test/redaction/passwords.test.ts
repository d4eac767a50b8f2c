/** Passwords as a generator makes them, in the places where they stand; and what only looks like a stand-in for one. */
import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../src/redaction/redact.ts'
import { random } from '../helpers/random.ts'

const redact = createRedactor()
const TRIED = 2000
/** Of a secret in a row that tell something of it. Characters. */
const TELLING = 7
const SEED = 20261

interface Place {
  readonly what: string
  /** The text that a password stands in. */
  readonly write: (password: string) => string
  /** How it is written there. */
  readonly form?: (password: string) => string
  /** Passwords that cannot be written there, or not so. */
  readonly without?: RegExp
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

const PLACES: readonly Place[] = [
  { what: 'JSON', write: (password) => JSON.stringify({ user: 'a', password }), form: inJson },
  { what: 'a program', write: (password) => `const cfg = { password: "${password}" }`, without: /["\\]/ },
  { what: 'a file of variables', write: (password) => `DB_PASSWORD=${password}`, without: /["'`\\ #;&<>,]/ },
  { what: 'a file of variables, in quotes', write: (password) => `DB_PASSWORD='${password}'`, without: /'/ },
  { what: 'YAML', write: (password) => `  password: "${password}"`, without: /["\\]/ },
  { what: 'the arguments of mysql', write: (password) => `mysql -u root -p'${password}' db`, without: /'/ },
  { what: 'an option', write: (password) => `tool --password '${password}'`, without: /'/ },
  { what: 'the arguments of curl', write: (password) => `curl -u 'admin:${password}' https://h/`, without: /'/ },
  { what: 'an address', write: (password) => `postgres://app:${encodeURIComponent(password)}@db.host/x`, form: encodeURIComponent },
  { what: 'a sentence, as code', write: (password) => `the password is \`${password}\``, without: /`/ },
  {
    what: 'a sentence, as code, in JSON',
    write: (password) => JSON.stringify(`the password is \`${password}\``),
    form: inJson,
    without: /`/,
  },
  { what: 'Markdown behind a bold name', write: (password) => `- **Password:** \`${password}\``, without: /`/ },
  { what: 'Markdown behind a bold name and a colon', write: (password) => `**Password**: \`${password}\``, without: /`/ },
  { what: 'Markdown behind a bold name, bare', write: (password) => `- **Password**: ${password}`, without: /["'`\\*]/ },
]

/** Sixteen printable characters, none of them a space. */
function password(below: (limit: number) => number): string {
  return Array.from({ length: 16 }, () => String.fromCharCode(33 + below(94))).join('')
}

function survives(secret: string, result: string): boolean {
  for (let at = 0; at + TELLING <= secret.length; at++) if (result.includes(secret.slice(at, at + TELLING))) return true
  return false
}

describe('a password of a generator', () => {
  it.each(PLACES)('leaves nothing telling in 99 of 100 cases in $what, whatever it begins with', ({ write, form = String, without }) => {
    const { below } = random(SEED)
    const leaked: string[] = []
    for (let tried = 0; tried < TRIED; ) {
      const secret = password(below)
      if (without?.test(secret)) continue
      tried++
      if (survives(form(secret), redact(write(secret)).text)) leaked.push(secret)
    }
    expect(leaked.length / TRIED, leaked.join('\n')).toBeLessThanOrEqual(0.01)
  })

  it.each(['$', '@', '&', '<', '{', '[', '(', ':', '!', '-', '/'])('goes where it begins with %s and stands in quotes', (sign) => {
    const secret = `${sign}9fus18A%-_m7`
    for (const text of [`{"password":"${secret}"}`, `DB_PASSWORD='${secret}'`, `mysql -p'${secret}'`])
      expect(redact(text).text).not.toContain(secret)
  })
})

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: what is redacted here is programs. */
describe('what looks like a stand-in', () => {
  it.each([
    `sk-ant-api03-${'Ab1Cd2Ef300000000Gh4Ij5Kl6Mn7'}`,
    `sk-ant-api03-${'Ab1-here-Cd2Ef3Gh4Ij5Kl6Mn7Op'}`,
    `ghp_${'Ab1Cd2Exxxxx4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2'}`,
    `glpat-${'Ab1Cd2____Gh4Ij5Kl6'}`,
    'Ab1Cd2Ef3____Gh4Ij5Kl6Mn7',
    'exampleS3cret99',
    'your-Horse-99-Zebra',
    'here-Be-Dragons77',
    '$ecret123Xy',
    '2024-01-01Summer',
    'Summer2024Password',
  ])('is a secret where the rest of it is one (%s)', (secret) => {
    expect(redact(`API_PASSWORD="${secret}"`).text).toMatch(/^API_PASSWORD="\[removed: [a-z-]+\]"$/)
  })

  it.each([
    '$DB_PASSWORD',
    '$password',
    '${DB_PASSWORD}',
    '${DB_PASSWORD:-changeme}',
    '{{ db_password }}',
    '${{ secrets.DB_PASSWORD }}',
    '<your password>',
    '<password>',
    '[your-password]',
    '{password}',
    '@password',
    '&password',
    '$(cat /run/secrets/db)',
    'process.env.DB_PASSWORD',
    '$this->password',
    'your-password-here',
    'changeme',
    'sk-xxxxxxxxxxxxxxxx',
    'sk-ab12...9f8e',
    '********',
    'example_password_1',
    'dummyToken1234',
    '[your-key-123]',
    '{vault:secret/data/db#pw1}',
    '<<TOKEN1>>',
    '@scope/pkg1',
    '$env:DB_PASS1',
    'env:DB_PASS1',
    'ghp_xxxxxxxxxxxxxxxxxxxx1234abcd',
  ])('is none where all of it is a reference or an example (%s)', (standIn) => {
    const text = `DB_PASSWORD="${standIn}"`
    expect(redact(text).text).toBe(text)
  })
})

/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above. */

describe('a secret in less usual writing', () => {
  const value = `Ab1Cd2Ef3${'Gh4Ij5Kl6'}`
  it.each([
    `**API key**: ${value}`,
    `- **Password:** \`${value}\``,
    `__Password__: ${value}`,
    `apiKey: process.env.K || "${value}"`,
    `apiKey: process.env["K"] ?? "${value}"`,
    `password <- "${value}"`,
    `{&quot;password&quot;:&quot;${value}&quot;}`,
    `&lt;password&gt;${value}&lt;/password&gt;`,
    `q=password%3D${value}`,
    JSON.stringify(JSON.stringify(JSON.stringify(JSON.stringify({ password: value })))),
    `password changed from ${value} to New2pass88`,
    `use bob:${value} to log in`,
    `useradd -p ${value} bob`,
  ])('goes from %s', (text) => expect(redact(text).text).not.toContain(value))

  it.each([
    `PRIVATE_KEY=0x${'4c0883a69102937d'.repeat(4)}`,
    `privateKey: "0x${'4c0883a69102937d'.repeat(4)}"`,
    'API_KEY=rbisfdiicrgnudogcfgiitxe',
    `SECRET_KEY_BASE=${'abcdef'.repeat(5)}`,
    'JWT_SECRET=supersecretjwtkey',
  ])('goes, whatever it is made of (%s)', (text) => expect(redact(text).text).toContain('[removed: '))
})

describe('a technical word beside the name of a secret', () => {
  it.each([
    'const tokenizer = new Tokenizer("cl100k_base")',
    'tokenizer: "o200k_base_v2"',
    'primaryKey: "user_id2"',
    'tests pass: 120345',
    'tool --secret my-secret-name-1',
    "the --username and --password options can't be used together",
    'SIGNATURE_HMAC_SHA1 = "HMAC-SHA1"',
    'Pass :func:`peek` a number',
    'address: 0x52908400098527886E0F7030069857D2E4169EE7',
    'contract token: "0x52908400098527886E0F7030069857D2E4169EE7"',
    '- **Password:** required, at least 8 characters',
    '- **password** (string): the password of the user',
    ':type passphrase: :py:data:`bytes`',
    'password storage moved from bcrypt2 to argon2',
    'the password is hashed with argon2id',
    'open http://localhost:3000/login2 to log in',
    'Click **Password** and enter a new one',
  ])('stays (%s)', (text) => expect(redact(text).text).toBe(text))
})
