/** The key of an ActivityWatch server on this machine, from the place where the server itself has it. */
import { join } from 'node:path'
import { configFolder, dataFolder } from '../../util/app-folders.ts'
import { readTextIfExists } from '../../util/fs.ts'
import type { System } from '../../util/system.ts'
import type { AwAddress } from './address.ts'

/** Configuration files, and the port of a server that reads one unless it names another. */
const FILES = [
  { name: 'config.toml', port: '5600' },
  { name: 'config-testing.toml', port: '5666' },
] as const

/**
 * Undefined where there is none, it is switched off (empty), or the address is not that of the server on this machine: the key is for no
 * other one. A file that cannot be read is as none: the server then says that it wants a key.
 */
export function discoverKey(address: AwAddress, system: Pick<System, 'env' | 'home' | 'platform'>): string | undefined {
  if (!address.isLoopback) return undefined
  for (const { name, port } of FILES) {
    const text = configText(join(serverFolder(system), name))
    if (text === undefined || (tomlValue(text, '', 'port') ?? port) !== address.port) continue
    const key = tomlValue(text, 'auth', 'api_key')
    if (key) return key
  }
  return undefined
}

function configText(path: string): string | undefined {
  try {
    return readTextIfExists(path)
  } catch {
    return undefined // The server will refuse us and the log will say why.
  }
}

function serverFolder(system: Pick<System, 'env' | 'home' | 'platform'>): string {
  // On Windows the server keeps its configuration with its data.
  const folder = system.platform === 'win32' ? dataFolder(system) : configFolder(system)
  return join(folder, 'activitywatch', 'aw-server-rust')
}

/** A string or number of a section (`''`: before the first one). Of TOML this is all that these files use. */
function tomlValue(text: string, section: string, key: string): string | undefined {
  let current = ''
  for (const line of text.split(/\r?\n/)) {
    current = /^\s*\[\s*([^[\]]+?)\s*\]/.exec(line)?.[1] ?? current
    const match = /^\s*([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|(\d+))/.exec(line)
    if (match !== null && current === section && match[1] === key) return match[2] ?? match[3] ?? match[4]
  }
  return undefined
}
