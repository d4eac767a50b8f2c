/** What the operating system refuses, in words: a full disk or a missing right is no fault of the program, and has a remedy. */
import { basename, dirname } from 'node:path'
import { MemuError, systemCode } from './errors.ts'

interface Trouble {
  /** The stable code of our error. */
  readonly code: string
  readonly why: string
  readonly next: string
}

const ELSEWHERE = 'or use another place: MEMU_DB for the store, --base-dir for a working tree'
const NO_RIGHT: Trouble = {
  code: 'no_permission',
  why: 'your user may not',
  next: `Make it and its folder belong to you and writable (chown, chmod; a run with sudo leaves files of root), ${ELSEWHERE}.`,
}
const IN_THE_WAY = `Move it out of the way, ${ELSEWHERE}.`
const CROWDED: Trouble = {
  code: 'too_many_files',
  why: 'too many files are open',
  next: 'Raise the limit (ulimit -n), or end other programs, and run the command again.',
}

const TROUBLES: Readonly<Record<string, Trouble>> = {
  EACCES: NO_RIGHT,
  EPERM: NO_RIGHT,
  EROFS: { code: 'read_only', why: 'the file system is read-only', next: `Make it writable, ${ELSEWHERE}.` },
  ENOSPC: {
    code: 'disk_full',
    why: 'the disk is full',
    next: 'Free some space and run the command again; what was stored before is untouched.',
  },
  EDQUOT: {
    code: 'disk_full',
    why: 'your quota of disk space is used up',
    next: 'Free some space and run the command again; what was stored before is untouched.',
  },
  EFBIG: { code: 'disk_full', why: 'it would grow beyond the limit for files', next: 'Raise the limit (ulimit -f).' },
  ENOTDIR: { code: 'bad_path', why: 'a part of the path is a file where a folder is needed', next: IN_THE_WAY },
  EISDIR: { code: 'bad_path', why: 'it is a folder where a file is needed', next: IN_THE_WAY },
  EEXIST: { code: 'bad_path', why: 'something else has that name', next: IN_THE_WAY },
  ELOOP: { code: 'bad_path', why: 'its symbolic links lead in a circle', next: `Remove or correct the link, ${ELSEWHERE}.` },
  ENAMETOOLONG: { code: 'bad_path', why: 'the path is too long', next: 'Use a shorter name or place.' },
  ENOENT: {
    code: 'bad_path',
    why: 'it, or a folder or link on its path, does not exist',
    next: `Make what is missing or correct the path, ${ELSEWHERE}.`,
  },
  EMFILE: CROWDED,
  ENFILE: CROWDED,
  EBUSY: { code: 'file_busy', why: 'another program holds it', next: 'Try again in a moment.' },
  EIO: { code: 'disk_error', why: 'the disk reports an error', next: 'Check the disk; nothing was changed.' },
}

/** What a system call does, for people; where a call is not named here, nothing more than that the file was used is known. */
const DEEDS: readonly (readonly [RegExp, string])[] = [
  [/^mkdir/, 'make the folder'],
  [/^(?:scandir|opendir|readdir)$/, 'list the folder'],
  [/^f?(?:l?stat|access|realpath|readlink)/, 'look at'],
  [/^(?:read|mmap)$/, 'read'],
  [/^(?:write|rename|f(?:data)?sync|f?truncate|copyfile|l?f?(?:chmod|chown|utimes?))$/, 'write'],
  [/^(?:unlink|rmdir|rm)$/, 'remove'],
  [/^spawn/, 'run'],
]
const WRITES_ONLY = new Set(['EROFS', 'ENOSPC', 'EDQUOT', 'EFBIG'])

/** Calls on an open file: Node.js does not say which one it is. */
const WITHOUT_PATH = /^(?:read|write|f(?:data)?sync|ftruncate|fchmod|fstat|close)$/

/**
 * The error to show for one of the operating system about a file, or undefined where it is about something else: then it is a fault.
 * `deed` is what was to be done, where the caller knows better than the system call. Errors of the network name no file and are their callers' to explain.
 */
export function systemFailure(error: unknown, deed?: string): MemuError | undefined {
  if (error instanceof MemuError) return undefined
  const code = systemCode(error)
  const trouble = code !== undefined && Object.hasOwn(TROUBLES, code) ? TROUBLES[code] : undefined
  if (trouble === undefined) return undefined
  const { syscall, path, dest } = error as { syscall?: unknown; path?: unknown; dest?: unknown }
  if (typeof syscall !== 'string') return undefined
  if (typeof path !== 'string' && !WITHOUT_PATH.test(syscall)) return undefined
  const called = DEEDS.find(([call]) => call.test(syscall))?.[1] ?? (WRITES_ONLY.has(code!) ? 'write' : 'open')
  const named = [dest, path].find((one) => typeof one === 'string')
  // The name of a temporary file says nothing to a person, and is another one the next time.
  const what = named !== undefined && isTemporary(named) ? `write into ${dirname(named)}` : `${deed ?? called} ${named ?? 'a file'}`
  return new MemuError(trouble.code, `Cannot ${what}: ${trouble.why} (${code}).`, { hint: trouble.next, cause: error })
}

function isTemporary(path: string): boolean {
  return /^\..*\.tmp$/.test(basename(path))
}
