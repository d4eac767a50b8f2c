/** Runs npm by the file that started us where there is one: no shell, and the same npm on Windows. */
import { spawnSync } from 'node:child_process'

/**
 * @param {string} cwd
 * @param {string[]} args
 * @param {import('node:child_process').StdioOptions} [stdio] what is piped is returned
 * @returns {string} stdout
 */
export function npm(cwd, args, stdio = ['ignore', 'pipe', 'pipe']) {
  const cli = process.env.npm_execpath
  const [command, first] = cli ? [process.execPath, [cli]] : [process.platform === 'win32' ? 'npm.cmd' : 'npm', []]
  const { status, stdout, stderr, error } = spawnSync(command, [...first, ...args], { cwd, encoding: 'utf8', stdio })
  if (error) throw error
  if (status !== 0) throw new Error(`npm ${args[0]} failed${stderr ? `: ${stderr}` : ''}`)
  return stdout ?? ''
}
