/** Runs of `prepare` as whole processes: the first one over a log, and later ones beside an empty program. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { median, timeProcess } from './measure.mjs'

/**
 * The first run over a log. The program tells its own peak memory as it ends; the hook is loaded in this run only.
 * @param {string[]} args program and arguments
 * @param {NodeJS.ProcessEnv} env
 * @param {string} scratch a folder
 */
export function firstRun(args, env, scratch) {
  const hook = join(scratch, 'peak.cjs')
  const peakFile = join(scratch, 'peak')
  const write = `require('node:fs').writeFileSync(${JSON.stringify(peakFile)}, String(process.resourceUsage().maxRSS / 1024))`
  writeFileSync(hook, `process.on('exit', () => ${write})\n`)
  const { ms, stdout } = timeProcess(['--require', hook, ...args], env)
  return { ms, report: JSON.parse(stdout), peak: Number(readFileSync(peakFile, 'utf8')) }
}

/** Medians of a run and of an empty program, `runs` of each in turns after one of each to warm up; `run` gives its milliseconds. */
export function againstNode(run, runs) {
  const times = []
  const nodeTimes = []
  for (let i = 0; i <= runs; i++) {
    const ms = run()
    const node = timeProcess(['-e', '0'], { PATH: process.env.PATH }).ms
    if (i === 0) continue // warm-up
    times.push(ms)
    nodeTimes.push(node)
  }
  const ms = median(times)
  const nodeMs = median(nodeTimes)
  return { ms, nodeMs, ratio: ms / nodeMs }
}

export function expect(holds, what) {
  if (!holds) throw new Error(`the benchmark is wrong: ${what}`)
}
