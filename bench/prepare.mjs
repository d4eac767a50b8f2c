/**
 * What `prepare` costs on a Claude Code log of 400 sessions and 1 GB: how fast and in how much memory it is read the first
 * time, and how long a run takes when nothing or one session is new, beside `node -e 0`, run in turns.
 *
 * `npm run bench:prepare` (text) or `npm run --silent bench:prepare -- --json`.
 */
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { print, progress, round, timeProcess } from './lib/measure.mjs'
import { withPackage } from './lib/package.mjs'
import { againstNode, expect, firstRun } from './lib/prepare-run.mjs'
import { writeLog } from './prepare-log.mjs'

const FILES = 400
const BYTES = 1e9
const RUNS = 21

const scratch = mkdtempSync(join(tmpdir(), 'memu-bench-prepare-'))
try {
  const result = await withPackage(async (installed) => {
    const env = installed.home(join(scratch, 'memory.sqlite3'))
    const program = installed.program('memu-claude-code')
    const prepare = (...args) => timeProcess([program, 'prepare', '--json', ...args], env)

    progress('writing 1 GB of sessions')
    const log = writeLog(join(env.HOME, '.claude', 'projects'), FILES, BYTES)
    const first = firstRun([program, 'prepare', '--json', '--max-jobs', String(FILES)], env, scratch)
    const { sessions, bad } = first.report
    expect(sessions.length === FILES, `the first run took ${sessions.length} sessions of ${FILES}`)
    expect(bad.length === 0, `the first run found ${bad.length} files with bad lines`)
    timeProcess([program, 'commit'], env)
    progress('runs for what was more than a slice holds')
    while (sessionsIn(prepare('--max-jobs', String(FILES)).stdout) > 0) timeProcess([program, 'commit'], env)

    progress('runs with nothing new')
    const unchanged = againstNode(() => {
      const { ms, stdout } = prepare()
      expect(sessionsIn(stdout) === 0, 'a run over an unchanged log found sessions')
      return ms
    }, RUNS)

    progress('runs with one session appended to')
    const longest = log.paths[0]
    appendFileSync(longest, log.append(longest))
    const appended = againstNode(() => {
      const { ms, stdout } = prepare()
      expect(sessionsIn(stdout) === 1, 'a run over an appended session did not find it')
      return ms
    }, RUNS)
    return {
      first_mb_per_s: round(log.bytes / 1e6 / (first.ms / 1000), 1),
      peak_rss_mb: round(first.peak, 1),
      unchanged_ratio: round(unchanged.ratio),
      appended_ratio: round(appended.ratio),
      unchanged_ms: round(unchanged.ms, 1),
      appended_ms: round(appended.ms, 1),
      node_ms: round(unchanged.nodeMs, 1),
    }
  })
  print(result, [
    `first run over ${FILES} sessions, 1 GB: ${result.first_mb_per_s} MB/s, peak memory ${result.peak_rss_mb} MB`,
    `nothing new: ${result.unchanged_ms} ms, ${result.unchanged_ratio} × node -e 0 (${result.node_ms} ms)`,
    `one session appended to: ${result.appended_ms} ms, ${result.appended_ratio} × node -e 0`,
  ])
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function sessionsIn(stdout) {
  return JSON.parse(stdout).sessions.length
}
