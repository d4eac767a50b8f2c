/** `MEMU_DB`, and other paths that people write where no shell reads them. Pure; on the hot path. */
import { resolve } from 'node:path'
import { MemuError } from '../util/errors.ts'
import { expandHome } from '../util/home.ts'

/** Where a value was declared, for messages: `the environment`, or a file. */
type Place = string

/**
 * The address with its path made absolute, once: two runs from two directories must open one store. What looks like an address and is
 * none is refused (`invalid_config`, exit 2), since as a path it would make an empty store beside the one that is meant.
 */
export function storeAddress(declared: string, base: string, home: string, place: Place): string {
  const text = declared.trim()
  // Schemes are written in any case; two letters at least, since a single one is a drive.
  const [, name, rest = ''] = /^([a-z][a-z0-9+.-]+):(.*)$/is.exec(text) ?? []
  switch (name?.toLowerCase()) {
    case undefined:
      return text === ':memory:' ? text : localPath('MEMU_DB', text, base, home, place)
    case 'sqlite': {
      const [slashes, path] = [rest.slice(0, 3), rest.slice(3)]
      if (rest === '//' || (slashes === '///' && path === ':memory:')) return `sqlite:${rest}`
      if (slashes === '///') return `sqlite:///${localPath('MEMU_DB', path, base, home, place)}`
      throw refused(`begins with "sqlite:" and has no three slashes behind it`, pathAlone(rest, place))
    }
    case 'file':
      throw refused(`begins with "${name}:"; such addresses are not read`, pathAlone(rest, place))
    case 'postgres':
    case 'postgresql':
      return `${name!.toLowerCase()}:${rest}`
    default:
      if (rest.startsWith('//')) return text // A kind of store that the opening does not know either, and says so.
      throw refused(`begins with "${name}:", which is no kind of store`, `If it is a file, write ./ before its name in ${place}.`)
  }
}

/**
 * `~/` replaced, and absolute from `base` on. Errors: `invalid_config` (exit 2) for `$HOME/x`, `%USERPROFILE%\x` and `~someone/x`:
 * only a shell replaces these, and a folder of that very name is not what is meant.
 */
export function localPath(key: string, path: string, base: string, home: string, place: Place): string {
  const part = /^~[^/\\]+|^%\w+%|(?<![^/\\])\$(?:\w+|\{\w+\})/.exec(path)?.[0]
  if (part === undefined) return resolve(base, expandHome(path, home))
  const own = /^(?:\$HOME|\$\{HOME\}|%USERPROFILE%)(?=[/\\])/.exec(path)?.[0]
  const better = own === undefined ? 'the path in full' : `~${path.slice(own.length)}`
  throw new MemuError('invalid_config', `${key} holds ${part}, which is not replaced there.`, {
    hint: `Write ${better} in ${place}; a leading ~/ is your home directory.`,
    exit: 2,
  })
}

function pathAlone(rest: string, place: Place): string {
  const [path] = rest.replace(/^\/\//, '').split('?')
  return `Write the path alone in ${place}: MEMU_DB=${path || '~/.memu/memory.db'}`
}

function refused(what: string, hint: string): MemuError {
  return new MemuError('invalid_config', `MEMU_DB ${what}.`, { hint, exit: 2 })
}
