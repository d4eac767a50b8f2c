/** Reads the text of `config.env` whatever editor saved it. On the hot path. */
import { readFileSync } from 'node:fs'
import { MemuError, reason, systemCode } from '../util/errors.ts'

/** The text without its byte order mark; undefined where there is no file. Errors: `config_unreadable`. */
export function readConfigText(path: string): string | undefined {
  try {
    return decode(readFileSync(path))
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw new MemuError('config_unreadable', `Cannot read the configuration ${path}: ${reason(error)}.`, {
      hint: 'Make the file readable for your user, or name another one in MEMU_CONFIG_ENV.',
      cause: error,
    })
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
