import { isSecretName, nameOf } from '../names.ts'
import type { Rule } from '../rule.ts'
import { isCode, isPassword, isWordPassword } from '../strength.ts'
import { isWords } from '../words.ts'
import { isChosen, isMade, isShort } from './assigned-values.ts'
import { CHOSEN, MADE, named, TAIL, VALUE } from './binding.ts'

const SHORT_HINTS = ['pass', 'pw', 'psk'].flatMap((name) => ['=', ':', '"', "'", ' ', '\\', ']', '_'].map((after) => name + after))

/** A pattern that begins at a word of its own, with the name before that. */
function behindName(between: string, pattern: string): RegExp {
  const name = `(?<name>[A-Za-z0-9_.-]{0,40}(?:${[...CHOSEN, ...MADE].join('|')})${TAIL})`
  return new RegExp(`(?<=${name}(?:\\\\{0,3}["'])?${between})${pattern}`, 'i')
}

/** A name, what binds it, and a value: files of settings, programs, JSON, headers, query strings. */
export const assignmentRules: readonly Rule[] = [
  { name: 'password', hints: CHOSEN, pattern: named(CHOSEN, VALUE), check: isChosen },
  { name: 'password', hints: SHORT_HINTS, pattern: new RegExp(`(?:pass|pw|psk)(?![A-Za-z0-9-]|_[A-Za-z])${VALUE}`, 'i'), check: isShort },
  { name: 'secret', hints: MADE, pattern: named(MADE, VALUE), check: isMade },
  // `- name: X` and its `value: …` beside it or on the next line, as Kubernetes, XML and JSON settings have it.
  {
    name: 'secret',
    hints: ['value:', 'value=', 'value"', "value'", 'value\\', 'value :'],
    pattern: behindName(
      `[\\s,>]{1,40}(?:\\\\{0,3}["'])?(?:android:)?`,
      `value(?:\\\\{0,3}["'])?\\s{0,3}[:=]\\s{0,3}(?:\\\\{0,3}["'])?(?<secret>[^\\s"'<>\\\\]{4,2000})`,
    ),
    check: (secret, match) => isSecretName(match.groups!.name!) && (isPassword(secret) || isWordPassword(secret)) && !isCode(secret),
  },
  // The default of a declared variable or parameter.
  {
    name: 'secret',
    hints: ['default'],
    pattern: behindName(
      `\\s{0,3}[:{][^}"'=]{0,120}?(?:type\\s{0,9}=\\s{0,3}\\w{1,20}\\s{1,20})?(?:\\\\{0,3}["']type\\\\{0,3}["']: ?\\\\{0,3}["']string\\\\{0,3}["'],\\s{0,9})?(?:\\\\{0,3}["'])?`,
      `default\\\\{0,3}["']?\\s{0,8}[:=]\\s{0,8}\\\\{0,3}["']?(?<secret>[^\\s"'<>,\\\\]{4,300})`,
    ),
    check: (secret, match) => isSecretName(match.groups!.name!) && isPassword(secret),
  },
  // Google shows an app's password as four times four letters.
  {
    name: 'password',
    hints: ['pass', 'password', 'passwd'].flatMap((name) => ['=', ':', '"', "'", ' =', '\\'].map((after) => name + after)),
    pattern: /pass(?:word|wd)?\\{0,3}["']?\s?[:=]\s?\\{0,3}["']?(?<secret>[a-z]{4}(?: [a-z]{4}){3})(?![a-z])(?! [a-z])/i,
    check: (secret) => !isWords(secret),
  },
  // A variable's value goes to the end of its word, whatever signs are in it.
  {
    name: 'password',
    hints: [...CHOSEN, ...SHORT_HINTS.filter((hint) => hint.endsWith('='))],
    pattern:
      /(?<=(?:^|[\n+]|\\n|export |set |ENV |- )[A-Z0-9_]{0,40})(?:PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|PW)[A-Z0-9_]{0,20}=(?<secret>(?:(?!&&|;\s|;[A-Za-z_]{1,40}=|\\n)[^\s"'`]){4,500})/,
    check: (secret, match) => isSecretName(nameOf(match)) && isPassword(secret),
  },
]
