/** Brings the real ActivityWatch server from the package registry into a virtual environment of its own, once. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../hosts/run.mjs'

const INSTALL_LIMIT = 300_000
const REQUIREMENTS = join(dirname(fileURLToPath(import.meta.url)), 'requirements.txt')

/**
 * @param {string} cache
 * @returns {Promise<string>} the server's program. Throws, in one line, where there is no Python or the registry does not have it.
 */
export async function installServer(cache) {
  const requirements = readFileSync(REQUIREMENTS, 'utf8')
  const folder = join(cache, `aw-server-${createHash('sha256').update(requirements).digest('hex').slice(0, 12)}`)
  const bin = join(folder, process.platform === 'win32' ? 'Scripts' : 'bin')
  const program = join(bin, process.platform === 'win32' ? 'aw-server.exe' : 'aw-server')
  const complete = join(folder, '.complete')
  if (existsSync(complete)) return program
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(cache, { recursive: true })
  const python = process.platform === 'win32' ? 'python' : 'python3'
  await must([python, '-m', 'venv', folder], cache, 'no virtual environment can be made')
  await must(
    [join(bin, 'python'), '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', REQUIREMENTS],
    cache,
    'pip could not install it',
  )
  await must([program, '--version'], cache, 'it does not start here')
  writeFileSync(complete, '')
  return program
}

async function must(command, cwd, what) {
  let result
  try {
    result = await run(command, { cwd, env: process.env, timeout: INSTALL_LIMIT })
  } catch (error) {
    throw new Error(`${what}: ${error.message}`)
  }
  const { code, stdout, stderr } = result
  if (code !== 0) throw new Error(`${what}: ${`${stderr}\n${stdout}`.trim().split('\n').at(-1)}`)
}
