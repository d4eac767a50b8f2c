/** Timing of whole processes and of calls, and how results are printed. */
import { spawnSync } from 'node:child_process'

/** The median; of an even number of values the mean of the middle two. */
export function median(values) {
  const sorted = Float64Array.from(values).sort()
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * Runs a program of Node.js to its end: how long it took, start of the process included, in milliseconds, and its stdout.
 * NODE_EXTRA_CA_CERTS is never set: reading it costs more than a small program.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env the whole environment
 */
export function timeProcess(args, env) {
  const begin = performance.now()
  const { status, stdout, stderr, error } = spawnSync(process.execPath, args, { encoding: 'utf8', env, maxBuffer: 64 * 1024 * 1024 })
  const ms = performance.now() - begin
  if (error) throw error
  if (status !== 0) throw new Error(`${args.join(' ').slice(0, 200)} failed: ${stderr}`)
  return { ms, stdout }
}

/** How long a call takes, in milliseconds. */
export async function timeCall(call) {
  const begin = performance.now()
  const value = await call()
  return { ms: performance.now() - begin, value }
}

export const round = (value, digits = 2) => Number(value.toFixed(digits))

/** One JSON object with `--json`, else the lines for a person. What happens meanwhile goes to stderr. */
export function print(result, lines) {
  console.log(process.argv.includes('--json') ? JSON.stringify(result) : lines.join('\n'))
}

/** What is going on, for a person who waits. */
export function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`${text}\n`)
}
