/**
 * What `prepare` costs on each host's log of 200 MB: how fast and in how much memory it is read the first time, and how long a run takes
 * when nothing is new, beside `node -e 0`, run in turns. Whole processes of the built program.
 *
 * The logs are the same 80 sessions for every host, written by the fixtures of the hosts' own tests: prompts, calls, long results, answers
 * and what the host notes beside (bench/hosts/log.ts says how much of each), in that host's records. So the share of mined text is the
 * same but for what a record's envelope takes, and for hosts that never log results. The size is that on disk; of a host that packs its
 * records the size of what was said, where that is more. A host with several stores has a line for each. All logs lie there at once:
 * 3 GB of disk.
 *
 * `npm run bench:hosts` (text) or `npm run --silent bench:hosts -- --json`; `--hosts codex,pi` takes only these, `--mb 20` less of them.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { importSource } from './lib/bundle.mjs'
import { median, print, progress, round, timeProcess } from './lib/measure.mjs'
import { root, temporaryFolder, withPackage } from './lib/package.mjs'
import { againstNode, expect, firstRun } from './lib/prepare-run.mjs'

const SESSIONS = 80
const BYTES = Number(option('--mb') ?? 200) * 1e6
/** First runs over each log, one of every host in turn, so that a slow moment of the machine meets all alike; the medians count. */
const ROUNDS = 3
const UNCHANGED_RUNS = 15
const BASE = 'claude-code'

const scratch = temporaryFolder()
const { fixtures, writeHostLog } = await hostLogs()
const hosts = await withPackage(async (installed) => {
  const places = chosen(fixtures, option('--hosts')).map((store, i) => write(installed, store, join(scratch, `host-${i}`)))
  const firsts = places.map(() => [])
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [i, place] of places.entries()) {
      progress(`${place.label}: first run ${round}`)
      firsts[i].push(mineAll(place, round < ROUNDS))
    }
  }
  return places.map((place, i) => result(place, firsts[i]))
})
const base = hosts.find(({ host }) => host === BASE)
print(
  { hosts },
  hosts.map(({ host, first_mb_per_s, first_mb_per_cpu_s, unchanged_ratio, peak_rss_mb }) => {
    const slower = base === undefined ? '' : `, ${round(base.first_mb_per_s / first_mb_per_s)} × the time of ${BASE}`
    return `${host}: ${first_mb_per_s} MB/s (${first_mb_per_cpu_s} a second of processor)${slower}, peak memory ${peak_rss_mb} MB; nothing new: ${unchanged_ratio} × node -e 0`
  }),
)

/** Writes a host's log; where its programs run and how they are called. */
function write(installed, { label, fixture }, folder) {
  progress(`${label}: writing ${BYTES / 1e6} MB of sessions`)
  mkdirSync(folder)
  const { log, bytes } = writeHostLog(fixture, folder, SESSIONS, BYTES)
  const tree = join(folder, 'tree')
  const program = installed.program(fixture.spec.binary)
  const prepare = [program, 'prepare', '--json', '--session-dir', log.sessionDir, '--base-dir', tree]
  const commit = [program, 'commit', '--base-dir', tree]
  return { label, folder, tree, bytes, prepare, commit, env: installed.home(join(folder, 'memory.sqlite3')) }
}

/** The first run over all sessions, in a tree that is new, and `forget` afterwards. */
function mineAll({ label, folder, tree, prepare, env }, forget) {
  const { report, ...run } = firstRun([...prepare, '--max-jobs', String(SESSIONS)], env, folder)
  const { sessions, bad, problems } = report
  expect(sessions.length === SESSIONS, `the first run took ${sessions.length} sessions of ${SESSIONS} of ${label}`)
  expect(bad.length === 0 && problems.length === 0, `the first run over ${label} met ${JSON.stringify([...bad, ...problems])}`)
  if (forget) rmSync(tree, { recursive: true })
  return run
}

function result({ label, folder, bytes, prepare, commit, env }, firsts) {
  progress(`${label}: runs until all is mined`)
  const more = [...prepare, '--max-jobs', String(SESSIONS)]
  // What did not fit into a slice waits for the next run.
  do timeProcess(commit, env)
  while (JSON.parse(timeProcess(more, env).stdout).sessions.length > 0)
  progress(`${label}: runs with nothing new`)
  const unchanged = againstNode(() => {
    const { ms, stdout } = timeProcess(prepare, env)
    expect(JSON.parse(stdout).sessions.length === 0, `a run over the unchanged log of ${label} found sessions`)
    return ms
  }, UNCHANGED_RUNS)
  rmSync(folder, { recursive: true, force: true })
  return {
    host: label,
    first_mb_per_s: round(bytes / 1e6 / (median(firsts.map(({ ms }) => ms)) / 1000), 1),
    unchanged_ratio: round(unchanged.ratio),
    peak_rss_mb: round(Math.max(...firsts.map(({ peak }) => peak)), 1),
    // Undisturbed by what else the machine does.
    first_mb_per_cpu_s: round(bytes / 1e6 / (median(firsts.map(({ cpu }) => cpu)) / 1000), 1),
    log_mb: round(bytes / 1e6, 1),
  }
}

/** The fixtures that write a registered host's log, the base of comparison first; `label` names host and, beyond its first, store. */
function chosen(all, names) {
  const wanted = names?.split(',')
  const seen = new Set()
  const labelled = all.map((fixture) => {
    const { host } = fixture.spec
    const label = seen.has(host) ? `${host} (${fixture.name})` : host
    seen.add(host)
    return { label, fixture }
  })
  const taken = labelled.filter(({ fixture: { spec } }) => wanted === undefined || wanted.includes(spec.host))
  const missing = wanted?.filter((name) => !taken.some(({ fixture: { spec } }) => spec.host === name)) ?? []
  expect(missing.length === 0, `there is no log of ${missing.join(', ')}; there are ${[...seen].join(', ')}`)
  return taken.sort((a, b) => Number(b.label === BASE) - Number(a.label === BASE))
}

/** The tests' fixtures and the writer, bundled: this Node.js may not read TypeScript. */
async function hostLogs() {
  const tests = join(root, 'test', 'hosts-unit')
  const logs = readdirSync(tests).filter((name) => name.endsWith('-log.ts'))
  const out = join(root, 'bench', 'out')
  mkdirSync(out, { recursive: true })
  const entry = join(out, `host-logs-${process.pid}.ts`)
  const imports = logs.map((name, i) => `import * as log${i} from ${JSON.stringify(join(tests, name))}`)
  const lines = [
    ...imports,
    `export { writeHostLog } from ${JSON.stringify(join(root, 'bench', 'hosts', 'log.ts'))}`,
    `export { hostSpecs } from ${JSON.stringify(join(root, 'src', 'hosts', 'registry.ts'))}`,
    `export const modules = [${logs.map((_, i) => `log${i}`).join(', ')}]`,
  ]
  writeFileSync(entry, `${lines.join('\n')}\n`)
  try {
    const { modules, hostSpecs, writeHostLog } = await importSource(relative(root, entry))
    // A fixture with a declaration of its own is of a store that `--session-dir` does not reach.
    const fixtures = modules.flatMap((module) => Object.values(module).filter(({ spec }) => hostSpecs.includes(spec)))
    return { fixtures, writeHostLog }
  } finally {
    rmSync(entry, { force: true })
  }
}

function option(name) {
  const at = process.argv.indexOf(name)
  return at < 0 ? undefined : process.argv[at + 1]
}
