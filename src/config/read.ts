/** Reads the text of `config.env` whatever editor saved it. On the hot path. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { MemuError, reason, systemCode } from '../util/errors.ts'

/** The text without its byte order mark; undefined where there is no file. Errors: `config_unreadable`. */
export function readConfigText(path: string): string | undefined {
  try {
    return decode(readRegularFile(path))
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw new MemuError('config_unreadable', `Cannot read the configuration ${path}: ${reason(error)}.`, {
      hint: 'Make it a file that your user can read, or name another one in MEMU_CONFIG_ENV.',
      cause: error,
    })
  }
}

/** A pipe without a writer would be waited for without end, and a device may never end: neither is read. */
function readRegularFile(path: string): Uint8Array {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)) // Windows has no such flag, and no such pipes.
  try {
    const found = fstatSync(fd)
    if (!found.isFile()) throw new Error(found.isDirectory() ? 'it is a folder' : 'it is a pipe or a device, not a file')
    return readFileSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** UTF-8, or UTF-16 with a mark (Windows editors). Bytes that are no UTF-8 are read as Latin-1, so that none is lost on writing. */
function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return Buffer.from(bytes).toString('latin1')
  }
}
