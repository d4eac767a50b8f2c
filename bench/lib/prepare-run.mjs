/** Runs of `prepare` as whole processes: the first one over a log, and later ones beside an empty program. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { median, timeProcess } from './measure.mjs'

/**
 * The first run over a log: milliseconds, those of them on a processor, peak memory in MB. The program tells the latter two as it ends;
 * the hook is loaded in this run only.
 * @param {string[]} args program and arguments
 * @param {NodeJS.ProcessEnv} env
 * @param {string} scratch a folder
 */
export function firstRun(args, env, scratch) {
  const hook = join(scratch, 'usage.cjs')
  const usageFile = join(scratch, 'usage.json')
  writeFileSync(hook, `process.on('exit', () => (${noteUsage})(${JSON.stringify(usageFile)}))\n`)
  const { ms, stdout } = timeProcess(['--require', hook, ...args], env)
  return { ms, ...JSON.parse(readFileSync(usageFile, 'utf8')), report: JSON.parse(stdout) }
}

/** Its text runs in the program. On Linux `maxRSS` begins with what the parent had, `VmHWM` does not. */
function noteUsage(file) {
  const fs = require('node:fs')
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
  const status = fs.existsSync('/proc/self/status') ? fs.readFileSync('/proc/self/status', 'utf8') : ''
  const peak = Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? maxRSS) / 1024
  fs.writeFileSync(file, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, peak }))
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
