/**
 * Reading JSON-lines logs that another program is writing: by byte offset, with bounded memory, and so that one damaged
 * line costs that line alone.
 */
export { type ByteSource, openFile } from './jsonl/bytes.ts'
export { digest } from './jsonl/digest.ts'
export { asFingerprint, type Fingerprint, fingerprint, matches } from './jsonl/fingerprint.ts'
export { LINE_LIMIT, type Line, type LineFilter, type LineReader, readLines } from './jsonl/lines.ts'
export { type JsonObject, type ParsedLine, parseLine } from './jsonl/parse.ts'
export { type Shrinker, shrinker } from './jsonl/shrink.ts'
