/**
 * Takes secrets out of words that come from elsewhere. Servers repeat what they were sent: a key whole, encoded, cut short or with stars
 * in its middle; an address with its query.
 */

export const REDACTED = '[key]'

/** A part of a secret of this length is no coincidence. Characters. */
const TELLING = 6
/** Its beginning or end as a word of its own is none at this length: the last four characters are what people are shown of a key. */
const TELLING_END = 4

/** `text` without the secrets, and without any telling part of one. */
export function redact(text: string, secrets: readonly string[]): string {
  const hidden = new Uint8Array(text.length)
  for (const secret of new Set(secrets.flatMap(secretForms))) {
    hideWhole(text, secret, hidden)
    hideParts(text, secret, hidden)
  }
  return replaced(text, hidden)
}

/** What of an address is nobody's business: user, password, and what its query and fragment say (the names of parameters tell nothing). */
export function addressSecrets(address: string): string[] {
  if (!URL.canParse(address)) return []
  const { username, password, search, hash } = new URL(address)
  const values = search
    .slice(1)
    .split('&')
    .map((pair) => pair.slice(pair.indexOf('=') + 1))
  return [username, password, hash.slice(1), ...values].flatMap((part) => [part, decoded(part)]).filter(Boolean)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return part // A lone percent sign: it stands for itself.
  }
}

/** As a secret may be repeated: as it is, and as JSON, a URL and base64 write it. */
export function secretForms(secret: string): string[] {
  if (secret === '') return []
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), Buffer.from(secret).toString('base64')]
}

function hideWhole(text: string, secret: string, hidden: Uint8Array): void {
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
    const end = at + secret.length
    // A short value (`?v=1`) is hidden where it is a word, not wherever its letters are.
    if (secret.length >= TELLING_END || isWord(text, at, end)) hidden.fill(1, at, end)
  }
}

function hideParts(text: string, secret: string, hidden: Uint8Array): void {
  for (let at = 0; at < text.length; at++) {
    const length = longestPart(text, at, secret)
    if (length >= TELLING) hidden.fill(1, at, at + length)
    else if (length > 0 && isTellingEnd(text, at, at + length, secret)) hidden.fill(1, at, at + length)
  }
}

/** How many characters of `text` from `at` on stand somewhere in `secret`. */
function longestPart(text: string, at: number, secret: string): number {
  let length = 0
  while (at + length < text.length && secret.includes(text.slice(at, at + length + 1))) length++
  return length
}

/** `sk-ab***`, `…wxyz`, `ending in wxyz`: too short to tell by itself, but a beginning or an end of the secret, and set apart as one. */
function isTellingEnd(text: string, from: number, to: number, secret: string): boolean {
  const part = text.slice(from, to)
  const begins = secret.startsWith(part) && !isWordCharacter(text[from - 1])
  const ends = secret.endsWith(part) && !isWordCharacter(text[to])
  if (part.length >= 2 && begins && CUT_AFTER.test(text.slice(to, to + 3))) return true
  if (part.length >= 2 && ends && CUT_BEFORE.test(text.slice(Math.max(from - 3, 0), from))) return true
  return part.length >= TELLING_END && (begins || ends) && isWord(text, from, to)
}

/** What stands for the rest of a secret. */
const CUT_AFTER = /^(?:[*•.]{2}|[xX]{3}|…)/
const CUT_BEFORE = /(?:[*•.]{2}|[xX]{3}|…)$/

function isWord(text: string, from: number, to: number): boolean {
  return !isWordCharacter(text[from - 1]) && !isWordCharacter(text[to])
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character)
}

/** Hidden stretches become one mark; so do two with nothing but stars or dots between them. */
function replaced(text: string, hidden: Uint8Array): string {
  let result = ''
  for (let at = 0; at < text.length; ) {
    const start = at
    while (at < text.length && hidden[at] === hidden[start]) at++
    result += hidden[start] === 1 ? REDACTED : text.slice(start, at)
  }
  return result.replace(/\[key\](?:[*•.…]*\[key\])+/g, REDACTED)
}
