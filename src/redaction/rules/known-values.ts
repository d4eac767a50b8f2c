import { secretForms } from '../../util/redact.ts'
import type { Rule } from '../rule.ts'
import { escapeRegExp } from '../rule.ts'

/** A value shorter than this stands in many texts by chance. Characters. */
const SHORTEST = 6

/**
 * One rule a known secret: the value as it is, and as JSON, a URL and base64 write it (base64 also inside a longer value, where it may
 * begin at any of three places of a group of four).
 */
export function knownValueRules(known: readonly { readonly name: string; readonly value: string }[]): Rule[] {
  return known
    .filter(({ value }) => value.length >= SHORTEST)
    .map(({ name, value }) => {
      const forms = [...new Set([...secretForms(value), ...base64Middles(value)])].sort((a, b) => b.length - a.length)
      return { name, hints: forms, pattern: new RegExp(forms.map(escapeRegExp).join('|')), certain: true }
    })
}

/** What of the base64 of `…value…` depends on the value alone, for each remainder of the bytes before it. */
function base64Middles(value: string): string[] {
  const bytes = Buffer.byteLength(value)
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.from('\0'.repeat(before) + value).toString('base64')
    return encoded.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes) * 4) / 3))
  })
}
