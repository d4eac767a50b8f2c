/** Programs that tests want beside Node.js, from Debian's packages. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const LIMIT_MS = 600_000

/** Installs them. Only as root: nobody is asked for a password. Throws, in one line, why it cannot. */
export function installPackages(names) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Error(`${names.join(', ')}: not installed, and not as root on Debian`)
  apt(['update'])
  apt(['install', '--yes', '--no-install-recommends', ...names])
}

function apt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status, stderr, error } = spawnSync('apt-get', ['--quiet', ...args], { cwd: '/', env, encoding: 'utf8', timeout: LIMIT_MS })
  if (status !== 0) throw new Error(`apt-get ${args[0]} failed: ${(error?.message ?? stderr).trim().split('\n').at(-1)}`)
}
