import { wordsOf } from './words.ts'

/** As the last word of a name: the value is about a secret, and none. */
const ABOUT_LAST = new Set(
  (
    'hash hashed digest checksum count counts counter file files filename path paths dir folder url uri endpoint host hostname name names ' +
    'id ids length len size min max limit budget usage used ttl expiry expires expiration expire expired age type types kind format arn ' +
    'policy regex regexp pattern field fields input header label prefix suffix placeholder hint message error errors text title version ' +
    'status state index offset at in algorithm alg mode strategy provider env var variable helper color colour bg css class schema form ' +
    'reset resolver store manager service source stream enabled required column attribute attr selector valid validator changed length ' +
    'issuer audience scope scopes bits manager ref rotation retention rules rule cost rounds strength component screen view page link ' +
    'secretsmanager event events action actions request response model models limits refresher sha'
  ).split(' '),
)
/** Anywhere in a name. */
const ABOUT_ANY = new Set(
  'hashed restore public publishable pub min max num total foreign sort partition cache idempotency cursor pagination continuation react test-id i18n per vapidpublic tokenizer tokenizers tokeniser tokenize tokenized tokenization'.split(
    ' ',
  ),
)

/** Whether what is called so holds a secret, and not its length, file, hash or label. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name)
  return !ABOUT_LAST.has(words.at(-1) ?? '') && !words.some((word) => ABOUT_ANY.has(word))
}

/** `DB_PASSWORD`: what a shell and a file of settings call a variable. */
export function isVariable(name: string): boolean {
  return /^[A-Z][A-Z0-9_]+$/.test(name)
}

/** The whole name that a match begins within. */
export function nameOf(match: RegExpExecArray): string {
  const before = /[A-Za-z0-9_.-]*$/.exec(match.input.slice(Math.max(match.index - 40, 0), match.index))![0]
  const rest = /^[A-Za-z0-9_.-]*/.exec(match[0])![0]
  return (before + rest).replace(/^[-.]+|__$/g, '')
}
