/**
 * Makes a checkout ready for what the caller wants to run: `node scripts/ensure.mjs [build]`. Installs the locked dependencies
 * where they are missing or older than the lock file, and builds where a source is newer than the build. Plain Node.js, because it
 * runs before anything is installed.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { npm } from './npm.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const at = (...parts) => join(root, ...parts)
const time = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0)

if (time(at('node_modules', '.package-lock.json')) < time(at('package-lock.json'))) install()
if (process.argv.includes('build') && time(at('dist', '.built')) < newest()) run(process.execPath, [at('scripts', 'build.mjs')])

function install() {
  // `npm ci` empties the folder first: behind a link that is somebody else's.
  if (lstatSync(at('node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
    console.error('error: node_modules is a link and older than package-lock.json; it is not touched\n  Run `npm ci` where it leads to.')
    process.exit(1)
  }
  console.error('Installing what it is built with (once, under a minute) …')
  npm(root, ['ci', '--no-audit', '--no-fund'], ['ignore', 2, 2])
}

/** The time of the newest file that the build reads. */
function newest() {
  const files = [
    'package.json',
    'package-lock.json',
    'rolldown.config.ts',
    'tsconfig.json',
    'scripts/build.mjs',
    'scripts/third-party.ts',
  ].map((name) => at(name))
  for (const folder of ['src', 'web']) {
    for (const entry of readdirSync(at(folder), { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) files.push(join(entry.parentPath ?? entry.path, entry.name))
    }
  }
  return Math.max(...files.map(time))
}

/** What it prints goes to stderr, so that a command's own stdout stays clean. */
function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}
