/**
 * Whether a text may hold a secret. The built-in rules store nothing of such a text: what is not there cannot leak. What a secret is say
 * the rules of `redaction/`, as for slices; beyond them the miner is cautious where a line would be worth nothing anyway.
 */
import { createRedactor, type KnownSecret } from '../../../redaction/redact.ts'

export type SecretTest = (text: string) => boolean

const VETOES: readonly RegExp[] = [
  // What is said of a credential itself, also where it looks like a word or a number.
  /\b(?:pass(?:word|wd|phrase|code)?|pwd|secret|api[ _-]?key|access[ _-]?key|private[ _-]?key|token|credentials?|pin)\b\s*(?:is|are|=|:|for \S+ is|von|ist|は|是|为)\s*\S/i,
  /(?:密码|口令|密钥|パスワード|passwort|kennwort)/i,
  // One stood here: what is left of the sentence says nothing.
  /\[removed: [a-z0-9-]+\]/,
  // A long run of mixed letters and digits is a key or a hash; neither is worth a line.
  /(?<![\w/.-])(?=[A-Za-z+/_-]*\d)(?=[\d+/_-]*[A-Za-z])[A-Za-z0-9+/_-]{32,}={0,2}(?![\w/.-])/,
]

/** `known` are secrets of this installation, whatever they look like. */
export function secretTest(known: readonly KnownSecret[] = []): SecretTest {
  const redact = createRedactor(known)
  return (text) => VETOES.some((pattern) => pattern.test(text)) || redact(text).found.size > 0
}

export const mayHoldSecret = secretTest()
