/**
 * Recall-file names are free text; file names are not. This maps one to the other for every mirror on disk.
 * On the hot path (`retrieve` mirrors what it found): it imports nothing, and the hash is loaded for the names that need one.
 */
/** Bytes of UTF-8, extension included: well under every file system's 255, and short enough for deep trees on Windows. */
const MAX_BYTES = 120
const EXTENSION = '.md'
/** Between stem and hash; outside the alphabet of plain names, so that no plain name can look like a hashed one. */
const SEPARATOR = '~'
/** Hex digits of SHA-256: 40 bits, and two names collide only where their readable part is the same too. */
const HASH_DIGITS = 10

/**
 * The file name of a recall file: `build-commands` → `build-commands.md`, `Build/Commands` → `build-commands~5f3a….md`.
 * Deterministic and total: any string gives one safe path segment of at most 120 bytes. Two different names never give file
 * names that a case-insensitive or normalising file system takes for one.
 */
export function fileNameFor(name: string): string {
  return ORDINARY.test(name) || isPlain(name) ? name + EXTENSION : hashedFileNameFor(name)
}

/** The same with the hash in any case: for a name whose plain place is taken by another file. */
export function hashedFileNameFor(name: string): string {
  const suffix = SEPARATOR + hash(name) + EXTENSION
  return cut(readable(name), MAX_BYTES - suffix.length) + suffix
}

/** The name that a file without one of its own gets: its stem, composed (some file systems list names decomposed). */
export function nameFromFile(fileName: string): string {
  const stem = fileName.toLowerCase().endsWith(EXTENSION) ? fileName.slice(0, -EXTENSION.length) : fileName
  return stem.normalize('NFC')
}

/** Whether a directory entry is a mirrored memory: markdown, and not hidden (temporary files start with a dot). */
export function isMemoryFileName(fileName: string): boolean {
  return !fileName.startsWith('.') && fileName.toLowerCase().endsWith(EXTENSION) && fileName.length > EXTENSION.length
}

/** Nearly every name, told without the Unicode tables, which take 2 ms to load. */
const ORDINARY = /^(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))[a-z0-9_](?:[a-z0-9._-]{0,115}[a-z0-9_-])?$/

/**
 * Characters that stand for themselves: no case, no second normal form, no meaning to a shell or a path. `Lo` are the letters
 * of scripts without case (Chinese, Japanese, Korean, Arabic, Hebrew …).
 */
const PLAIN = /^[a-z0-9_\p{Lo}](?:[a-z0-9._\p{Lo}-]*[a-z0-9_\p{Lo}-])?$/u
/** Devices that Windows opens whatever the extension and the directory. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i

function isPlain(name: string): boolean {
  return (
    name.length <= MAX_BYTES &&
    PLAIN.test(name) &&
    !DEVICE.test(name) &&
    name.normalize('NFKC') === name &&
    Buffer.byteLength(name) <= MAX_BYTES - EXTENSION.length
  )
}

/** What a person recognises of the name; uniqueness is the hash's part. */
function readable(name: string): string {
  const stem = name
    .slice(0, MAX_BYTES * 2)
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}\p{M}._-]+/gu, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^[\p{M}.-]+|[.-]+$/gu, '')
  if (stem === '') return 'unnamed'
  return DEVICE.test(stem) ? `_${stem}` : stem
}

/** Over UTF-16, so that even strings which are not valid Unicode stay apart. */
function hash(name: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto')
  return createHash('sha256').update(name, 'utf16le').digest('hex').slice(0, HASH_DIGITS)
}

/** At most `bytes` of UTF-8, at a character's boundary. */
function cut(text: string, bytes: number): string {
  let kept = ''
  let used = 0
  for (const character of text) {
    used += Buffer.byteLength(character)
    if (used > bytes) break
    kept += character
  }
  return kept
}
