import { readFileSync } from 'node:fs'

/** A text as it stands in a coding agent's session, and what in it must not survive redaction. */
export interface Sample {
  /** Unique in the corpus: kind, category and number. */
  readonly id: string
  /** `secret` holds at least one secret; `clean` only looks as if it did and must pass unchanged. */
  readonly kind: 'secret' | 'clean'
  readonly category: string
  /** One or several lines. */
  readonly text: string
  /** The exact characters that must not survive, each once, in order; a key of several lines is one entry a line. */
  readonly secrets: readonly string[]
  /** Kept for judging: rules are written and tuned against the samples without this mark. */
  readonly held: boolean
  /** Why a label is what it is, where a reader may doubt it. */
  readonly note?: string
}

/** Stands inside every made-up secret on disk, so that no scanner takes the corpus for a leak. */
const BREAK = /¦/g
/** A secret is marked where it stands, so that mark and text cannot drift apart. */
const MARKED = /⟦([^⟧]*)⟧/g

interface StoredSample {
  readonly id: string
  readonly category: string
  readonly text: string
  readonly note?: string
}

/**
 * The files of the corpus, one JSON object a line. Once rules have been tuned on held samples they judge nothing any
 * more: they move to `open` under the next number, and fresh ones take their place.
 */
export const corpusFiles = [
  { kind: 'secret', held: false, url: file('open/secret.jsonl') },
  { kind: 'secret', held: false, url: file('open/secret-2.jsonl') },
  { kind: 'clean', held: false, url: file('open/clean.jsonl') },
  { kind: 'clean', held: false, url: file('open/clean-2.jsonl') },
  { kind: 'secret', held: true, url: file('held/secret.jsonl') },
  { kind: 'clean', held: true, url: file('held/clean.jsonl') },
] as const

/** All labelled samples, in the order of the files. Every value in them is invented. */
export function corpus(): readonly Sample[] {
  return corpusFiles.flatMap(({ kind, held, url }) =>
    readFileSync(url, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Sample => {
        const stored = JSON.parse(line) as StoredSample
        const marked = stored.text.replace(BREAK, '')
        const secrets = new Set(Array.from(marked.matchAll(MARKED), (match) => match[1]!))
        return { ...stored, kind, held, text: marked.replace(MARKED, '$1'), secrets: [...secrets] }
      }),
  )
}

function file(path: string): URL {
  return new URL(`corpus/${path}`, import.meta.url)
}
