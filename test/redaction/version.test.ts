/** The rules and their version change together: what was redacted under other rules has to be told by its version. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { RULES_VERSION } from '../../src/redaction/redact.ts'

/**
 * Of each version. Where this test fails, what is removed has changed: `RULES_VERSION` goes up, and gets a line here. Where it has not (a
 * name, a move, speed), the last line gets the new digest.
 */
const DIGESTS: Readonly<Record<number, string>> = {
  3: '9d544d248e8f6812',
  4: 'b534464424f04cbd',
}

const FOLDER = fileURLToPath(new URL('../../src/redaction', import.meta.url))

/** Of names, hints, patterns, checks, the lists and tests of strength, and what applies them; without comments and layout. */
function digest(): string {
  const hash = createHash('sha256')
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'))
  for (const name of files.filter((name) => name.endsWith('.ts')).sort())
    hash.update(`${withoutComments(readFileSync(join(FOLDER, name), 'utf8'))}\n`)
  return hash.digest('hex').slice(0, 16)
}

/** Only lines that are nothing else: a pattern may hold what looks like a comment. */
function withoutComments(source: string): string {
  return source
    .replace(/^\s*\/\*\*(?:[^*]|\*(?!\/))*\*\/$/gm, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/\s+/g, ' ')
}

it('has a version that goes up with every change to the rules', () => {
  expect(digest()).toBe(DIGESTS[RULES_VERSION])
})
