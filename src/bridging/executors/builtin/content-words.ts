import { stem } from '../../../text/stem.ts'
import { isStopWord } from '../../../text/stop-words.ts'

/** The stems of a text's words that mean something. */
export function contentWords(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}._/@:+#-]*/gu) ?? []
  const plain = words.map((word) => word.replace(/[.:/-]+$/, '')).filter((word) => !isStopWord(word))
  return new Set(plain.map(stem))
}
