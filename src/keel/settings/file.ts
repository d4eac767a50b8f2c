/** Reads and writes `settings.json`. What is in it and not ours stays; what cannot be read is left as it is. */
import { statSync } from 'node:fs'
import { MemuError, reason } from '../../util/errors.ts'
import { readTextIfExists, writeFileAtomic } from '../../util/fs.ts'
import { isObject } from '../../util/is-object.ts'

export interface SettingsFile {
  readonly path: string
  /** Empty where there is no file, or where it cannot be read. */
  readonly content: Readonly<Record<string, unknown>>
  /** Why it cannot be read: then nothing is written to it. */
  readonly problem?: string
  /** Others on this machine may read it, and a key may lie in it. */
  readonly isOpen: boolean
}

/** Bytes. The settings are a thousand, and what others keep beside them is little; it is read while a request waits. */
const SIZE_LIMIT = 256 * 1024

/** Never throws. */
export function readSettingsFile(path: string): SettingsFile {
  try {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    if (size > SIZE_LIMIT) throw new Error(`it is larger than ${SIZE_LIMIT >> 10} KiB`)
    const text = readTextIfExists(path)
    if (text === undefined) return { path, content: {}, isOpen: false }
    return { path, content: parsed(text), isOpen: isOpen(path) }
  } catch (error) {
    return { path, content: {}, problem: reason(error), isOpen: false }
  }
}

/** Whole and private. Errors: `settings_unreadable` for a file with a `problem`, `settings_not_written`. */
export function writeSettingsFile(file: SettingsFile, content: Readonly<Record<string, unknown>>): void {
  refuseUnreadable(file)
  try {
    writeFileAtomic(file.path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, forceMode: true })
  } catch (error) {
    throw new MemuError('settings_not_written', `The settings were not written (${reason(error)}).`, { cause: error })
  }
}

/** Without knowing what is in it nothing can be changed, not even to a default. Errors: `settings_unreadable` for a file with a `problem`. */
export function refuseUnreadable({ path, problem }: SettingsFile): void {
  if (problem === undefined) return
  throw new MemuError('settings_unreadable', `${path} cannot be read (${problem}), so nothing is changed.`, {
    hint: 'Mend the file or move it away, then try again.',
  })
}

/** An empty file is as none: some editors make one first. */
function parsed(text: string): Readonly<Record<string, unknown>> {
  const json = text.replace(/^\ufeff/, '')
  if (json.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    // The parser's own words may repeat a part of the file, and a key lies in it.
    throw new Error('it is not valid JSON')
  }
  if (isObject(value)) return value
  throw new Error('it holds no JSON object')
}

/** Windows has other means, and says nothing with these bits. */
function isOpen(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0
}
