/** The other supported line of Node.js, brought by a registry package: for the tests on it, and for agents that need it. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { npm } from './npm.mjs'

const VERSION = '24.21.0'

/** Installs it into `folder`, once; returns the folder of its program. Throws where the registry or the platform does not have it. */
export function installNode24(folder) {
  const bin = join(folder, 'node_modules', '.bin')
  if (existsSync(join(bin, 'node'))) return bin
  mkdirSync(folder, { recursive: true })
  // The package brings its binary by an install script, which newer npm versions run only where it is allowed by name.
  const manifest = { private: true, dependencies: { node: VERSION }, allowScripts: { node: true } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  try {
    npm(folder, ['install', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts=false'])
  } catch (error) {
    throw new Error(`Node.js ${VERSION} could not be installed: ${error.message.trim().split('\n')[0]}`)
  }
  return bin
}

/** This process's environment, in which `node` is the one in `bin`. */
export function prefersNode(bin) {
  return { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }
}
