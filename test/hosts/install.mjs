/** Brings the real agent programs from the package registry, once. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installNode24, prefersNode } from '../../scripts/node24.mjs'
import { run } from './run.mjs'

/** The largest of them brings 650 MB. Milliseconds. */
const INSTALL_LIMIT = 600_000

/**
 * Installs the pinned version into the cache folder, once.
 * @param {import('./agents.mjs').AnyAgent} agent @param {string} cache
 * @returns {Promise<{ bin: string, node?: string }>} the folder of its programs, and that of the Node.js it needs where it is not
 *   this one. Throws where the registry or the platform does not have them, or the program does not start.
 */
export async function install(agent, cache) {
  const node = agent.node24 ? await installNode24(join(cache, 'node24')) : undefined
  const env = node === undefined ? process.env : prefersNode(node)
  const folder = join(cache, 'agents', `${agent.package.replace('/', '-').replace('@', '')}-${agent.version}`)
  const bin = join(folder, 'node_modules', '.bin')
  const complete = join(folder, '.complete')
  if (existsSync(complete)) return { bin, node }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // Some unpack their binary in a script of their package; newer versions of npm want to be told that it may run.
  const manifest = { private: true, dependencies: { [agent.package]: agent.version }, allowScripts: { [agent.package]: true } }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest)}\n`)
  const installed = await npm(
    ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', '--ignore-scripts=false'],
    folder,
    env,
  )
  if (installed.code !== 0) throw new Error(`npm could not install ${agent.package}@${agent.version}: ${firstLine(installed.stderr)}`)
  const version = await run([join(bin, agent.program), '--version'], { cwd: folder, env })
  if (!version.stdout.includes(agent.version)) throw new Error(`${agent.program} does not start here: ${firstLine(version.stderr)}`)
  writeFileSync(complete, '')
  return { bin, node }
}

/** npm as whoever started us has it, else from PATH; the latter where the environment prefers another Node.js than ours. */
export function npm(args, cwd, env = process.env) {
  const cli = process.env.npm_execpath
  const ours = cli !== undefined && env.PATH === process.env.PATH
  const command = ours ? [process.execPath, cli] : [process.platform === 'win32' ? 'npm.cmd' : 'npm']
  return run([...command, ...args], { cwd, env, timeout: INSTALL_LIMIT })
}

/** What went wrong, in one line: npm says so first, and last where its log is. */
export function firstLine(text) {
  return text
    .replace(/^npm (?:error|ERR!) /gm, '')
    .trim()
    .split('\n')
    .slice(0, 2)
    .join(', ')
}
