/** A scratch home with memU installed from its tarball and configured, in which the real programs run. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { firstLine, npm } from './install.mjs'
import { filesBelow } from './logs.mjs'
import { run } from './run.mjs'

const CONFIGURATION = 'config.env'
const STORE = 'memory.sqlite3'

/**
 * @param {{ root: string, model: { url: string } }} given `root` is the checkout, built
 * @returns {Promise<World>}
 * @typedef {object} World
 * @property {string} home
 * @property {(name: string) => string} project a folder below the home, made if it is not there
 * @property {(...folders: string[]) => void} addToPath
 * @property {(command: string[], options?: object) => Promise<object>} run in the home's own environment; see run.mjs.
 *   `first`: folders that go before all others on PATH
 * @property {(command: string[], options?: object) => Promise<object>} succeed the same; throws when the exit code is not 0
 * @property {() => string[]} private digests of what no run of an agent may change: the configuration and the store
 * @property {(text: string) => boolean} holds whether any file of memU's in the home has the text
 * @property {() => string} nonce of the installation, which knows its own words by it
 * @property {() => void} remove
 */
export async function makeWorld({ root, model }) {
  // The real path: programs log the working directory so, and on some systems the folder for temporary files is a link.
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'memu-hosts-')))
  const remove = () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
  try {
    const home = join(scratch, 'home')
    const temporary = join(scratch, 'tmp')
    for (const folder of [home, temporary, join(home, '.memu')]) mkdirSync(folder, { recursive: true, mode: 0o700 })
    const path = [await installPackage(root, scratch)]
    configure(home)
    const environment = (extra, first) => ({
      PATH: [...first, ...path, process.env.PATH].join(delimiter),
      HOME: home,
      USERPROFILE: home,
      TMPDIR: temporary,
      LANG: 'C.UTF-8',
      SHELL: '/bin/bash',
      ...extra,
    })
    const start = (command, { env, cwd = home, first = [], ...rest } = {}) => run(command, { ...rest, cwd, env: environment(env, first) })
    return {
      home,
      url: model.url,
      project(name, files = {}) {
        const folder = join(home, 'work', name)
        mkdirSync(folder, { recursive: true })
        for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
        return folder
      },
      addToPath(folder) {
        path.push(folder)
        profile(home, path)
      },
      run: start,
      async succeed(command, options) {
        const result = await start(command, options)
        if (result.code === 0) return result
        const how = result.ended === 'time' ? 'ran out of time' : `ended with exit code ${result.code}`
        throw new Error(`${command.join(' ')} ${how}\n${result.stderr.slice(-1500)}\n${result.stdout.slice(-500)}`)
      },
      private: () => [CONFIGURATION, STORE].map((name) => digest(join(home, '.memu', name))),
      holds: (text) => filesBelow(join(home, '.memu')).some((path) => readFileSync(path).includes(text)),
      nonce: () => readFileSync(join(home, '.memu', 'nonce'), 'utf8').split('\n')[0],
      remove,
    }
  } catch (error) {
    remove()
    throw error
  }
}

/** Packs what ships and installs it as `npm install --global` would; returns the folder of its programs. */
async function installPackage(root, scratch) {
  const packed = await npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', scratch], root)
  const tarball = readdirSync(scratch).find((name) => name.endsWith('.tgz'))
  if (packed.code !== 0 || tarball === undefined) throw new Error(`npm could not pack memU: ${firstLine(packed.stderr)}`)
  const prefix = join(scratch, 'prefix')
  mkdirSync(prefix)
  const options = ['--global', '--prefix', prefix, '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  const installed = await npm(['install', ...options, join(scratch, tarball)], scratch)
  if (installed.code !== 0) throw new Error(`npm could not install memU's tarball: ${firstLine(installed.stderr)}`)
  return process.platform === 'win32' ? prefix : join(prefix, 'bin')
}

function configure(home) {
  const lines = [`MEMU_DB=${join(home, '.memu', STORE)}`, 'MEMU_EMBED_PROVIDER=local', 'MEMU_TELEMETRY=0', '']
  writeFileSync(join(home, '.memu', CONFIGURATION), lines.join('\n'), { mode: 0o600 })
}

function digest(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

/** Codex runs commands in a login shell, which sets PATH anew: a person has the folders in the shell's profile. */
function profile(home, path) {
  for (const name of ['.profile', '.zprofile']) writeFileSync(join(home, name), `PATH="${path.join(delimiter)}:$PATH"\n`)
}
