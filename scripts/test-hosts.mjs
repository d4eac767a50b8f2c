/**
 * The real agent programs, end to end: `npm run test:hosts [-- --host codex] [--seed 7] [--keep]`. Installs pinned Claude Code and
 * Codex once into `.cache/agents`, packs and installs memU, and lets each program hold conversations, turn them into memory and find
 * it again. The model is a script on loopback; nothing else is simulated. A program that cannot be installed is skipped.
 */
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { agents, install } from '../test/hosts/agents.mjs'
import { checkDesk } from '../test/hosts/desk-check.mjs'
import { startModel } from '../test/hosts/loopback-model.mjs'
import { findsAll } from '../test/hosts/recall.mjs'
import { endAll } from '../test/hosts/run.mjs'
import { scenario, titles } from '../test/hosts/scenario.mjs'
import { steps } from '../test/hosts/steps.mjs'
import { makeWorld } from '../test/hosts/world.mjs'

/** Installation apart, everything must be done by then. */
const LIMIT_MS = 300_000

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { values: args } = parseArgs({ options: { host: { type: 'string' }, seed: { type: 'string' }, keep: { type: 'boolean' } } })
const seed = args.seed === undefined ? randomInt(1, 1_000_000) : Number(args.seed)
const report = steps(console.log)

const ready = await installAgents(agents.filter((agent) => args.host === undefined || agent.host === args.host))
if (ready.length > 0) await runAll(ready)
console.log(report.summary())
process.exitCode = report.counts.failed > 0 ? 1 : 0

async function installAgents(chosen) {
  const ready = []
  for (const agent of chosen) {
    try {
      ready.push({ agent, bin: await install(agent, join(root, '.cache', 'agents')) })
    } catch (error) {
      for (const title of titles) report.skip(`${agent.host} ${title}`, error.message)
    }
  }
  return ready
}

async function runAll(ready) {
  console.log(`${ready.map(({ agent }) => `${agent.title} ${agent.version}`).join(' and ')}, seed ${seed}`)
  const prompt = readFileSync(join(root, 'templates', 'bridging-task.txt'), 'utf8').replace(/^# memu-template: .*\n/, '')
  await report.chain('script')('may write only what it has read', checkDesk)
  const model = await startModel()
  let world
  const stop = (why, code) => {
    console.log(why)
    endAll()
    if (!args.keep) world?.remove()
    process.exit(code)
  }
  const timer = setTimeout(() => stop(`FAIL not done after ${LIMIT_MS / 1000} s\n${report.summary()}`, 1), LIMIT_MS)
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop('interrupted', 130))
  try {
    world = await makeWorld({ root, model })
    for (const { bin } of ready) world.addToPath(bin)
    const said = []
    for (const [index, { agent }] of ready.entries()) {
      said.push([agent, await scenario({ agent, world, model, seed: seed + index, prompt, step: report.chain(agent.host) })])
    }
    const both = report.chain('both')
    for (const [agent, talks] of said.length < 2 ? [] : said) {
      const [other] = said.map(([one]) => one).filter((one) => one !== agent)
      await both(`${other.title} finds what was said to ${agent.title}`, () => findsAll(world, other.binary, talks))
    }
  } finally {
    clearTimeout(timer)
    await model.close()
    if (args.keep) console.log(`kept: ${world?.home}`)
    else world?.remove()
  }
}
