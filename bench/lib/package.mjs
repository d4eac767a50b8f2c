/** The built package as a user gets it: packed, installed in a temporary folder. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { npm } from '../../scripts/npm.mjs'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/**
 * @typedef {object} Installed
 * @property {(name: string) => string} program the file of a program
 * @property {any} library the imported package
 * @property {(store?: string) => NodeJS.ProcessEnv} home makes an empty home with the default configuration, and gives its environment
 */

/**
 * Packs and installs the package in a temporary folder, and calls `use`.
 * @template T
 * @param {(installed: Installed) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withPackage(use) {
  const scratch = temporaryFolder()
  const tarball = npm(root, ['pack', '--silent', '--ignore-scripts', '--pack-destination', scratch]).trim().split('\n').at(-1)
  const place = join(scratch, 'place')
  mkdirSync(place)
  writeFileSync(join(place, 'package.json'), '{"private":true}\n')
  npm(place, ['install', '--no-audit', '--no-fund', '--silent', join(scratch, tarball)])
  const folder = join(place, 'node_modules', 'memu')
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  let homes = 0
  return use({
    program: (name) => join(folder, bin[name]),
    library: await import(pathToFileURL(join(folder, 'dist', 'index.js')).href),
    home(store) {
      const home = join(scratch, `home-${homes++}`)
      mkdirSync(join(home, '.memu'), { recursive: true, mode: 0o700 })
      if (store !== undefined) writeFileSync(join(home, '.memu', 'config.env'), `MEMU_DB=${store}\n`, { mode: 0o600 })
      return { PATH: process.env.PATH, HOME: home, USERPROFILE: home }
    },
  })
}

/** A folder that is gone when the process ends, also when it is interrupted. */
export function temporaryFolder(place = tmpdir()) {
  const folder = mkdtempSync(join(place, 'memu-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
  return folder
}
