/**
 * What `retrieve` costs on the path of every prompt: the whole process beside `node -e 0`, both from the first instruction to the last
 * byte, run in turns. And what its speed costs: the share of an exact search's first ten answers that come back.
 *
 * `npm run bench:cold` (text) or `npm run --silent bench:cold -- --json`.
 */
import { join } from 'node:path'
import { exactAnswers } from './lib/exact-answers.mjs'
import { median, print, progress, round, timeProcess } from './lib/measure.mjs'
import { withPackage } from './lib/package.mjs'
import { STORE, storeOf } from './lib/stores.mjs'
import { queries } from './lib/text.mjs'

const SIZES = [10_000, 100_000]
const QUERIES = 100
const ANSWERS = 10
/** Rounds before the clock counts: the files come into the page cache. */
const WARM_UP = 3

const result = await withPackage(async (installed) => {
  const cases = []
  for (const segments of SIZES) {
    const store = join(await storeOf(segments, installed), STORE)
    cases.push({ segments, env: installed.home(store), times: [] })
  }
  const program = installed.program('memu-claude-code')
  const empty = installed.home()
  const asked = queries(QUERIES)
  const nodeTimes = []
  for (let turn = -WARM_UP; turn < QUERIES; turn++) {
    const query = asked[Math.max(0, turn)]
    const node = timeProcess(['-e', '0'], empty)
    if (turn >= 0) nodeTimes.push(node.ms)
    for (const { env, times } of cases) {
      const { ms } = timeProcess([program, 'retrieve', query], env)
      if (turn >= 0) times.push(ms)
    }
  }
  const nodeMs = median(nodeTimes)
  const sizes = []
  for (const { segments, env, times } of cases) {
    const found = asked.map((query) => {
      const { stdout } = timeProcess([program, 'retrieve', query, '--limit', String(ANSWERS)], env)
      return JSON.parse(stdout).segments.map(({ text }) => text)
    })
    progress(`comparing with an exact search of ${segments}`)
    const exact = await exactAnswers(segments, asked, ANSWERS)
    const ms = median(times)
    sizes.push({ segments, retrieve_ms: round(ms), ratio: round(ms / nodeMs), overlap: round(shared(exact, found), 3) })
  }
  return { node_ms: round(nodeMs), sizes }
})

print(result, [
  `node -e 0: ${result.node_ms} ms`,
  ...result.sizes.map(
    ({ segments, retrieve_ms, ratio, overlap }) =>
      `retrieve in ${segments.toLocaleString('en')} segments: ${retrieve_ms} ms, ${ratio} times node; ${round(overlap * 100, 1)} % of an exact search's first ${ANSWERS}`,
  ),
])

/** The mean share of the exact answers that were found. */
function shared(exact, found) {
  const shares = exact.map((texts, index) => texts.filter((text) => found[index].includes(text)).length / texts.length)
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}
