/**
 * The real agent programs, end to end: `npm run test:hosts [-- --host codex] [--seed 7] [--keep]`. Installs pinned versions of them
 * once into `.cache`, packs and installs memU, and lets each program hold conversations, of which memU makes memory that it finds
 * again. The model is a script on loopback; nothing else is simulated. A program that cannot be installed is skipped.
 */
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { agents, readAgents } from '../test/hosts/agents.mjs'
import { checkDesk } from '../test/hosts/desk-check.mjs'
import { install } from '../test/hosts/install.mjs'
import { startModel } from '../test/hosts/loopback-model.mjs'
import { readScenario, readTitles } from '../test/hosts/read-scenario.mjs'
import { findsAll } from '../test/hosts/recall.mjs'
import { endAll } from '../test/hosts/run.mjs'
import { scenario, titles } from '../test/hosts/scenario.mjs'
import { steps } from '../test/hosts/steps.mjs'
import { makeWorld } from '../test/hosts/world.mjs'

/** Installation apart, everything must be done by then. It takes five minutes on two cores; others may be at work beside it. */
const LIMIT_MS = 900_000

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { values: args } = parseArgs({ options: { host: { type: 'string' }, seed: { type: 'string' }, keep: { type: 'boolean' } } })
const seed = args.seed === undefined ? randomInt(1, 1_000_000) : Number(args.seed)
const report = steps(console.log)
const prompt = readFileSync(join(root, 'templates', 'bridging-task.txt'), 'utf8').replace(/^# memu-template: .*\n/, '')

/** What is tried with each program. */
const plans = [
  ...agents.map((agent) => ({ agent, titles, play: (given) => scenario({ ...given, prompt }) })),
  ...readAgents.map((agent) => ({ agent, titles: readTitles, play: readScenario })),
]

const chosen = plans.filter(({ agent }) => args.host === undefined || agent.host === args.host)
if (chosen.length === 0) {
  console.error(`error: no program is called ${args.host}: ${plans.map(({ agent }) => agent.host).join(', ')}`)
  process.exit(2)
}
const ready = await installAll(chosen)
if (ready.length > 0) await runAll(ready)
console.log(report.summary())
process.exitCode = report.counts.failed > 0 ? 1 : 0

async function installAll(chosen) {
  const ready = []
  for (const plan of chosen) {
    const { agent, titles } = plan
    try {
      ready.push({ ...plan, installed: await install(agent, join(root, '.cache')) })
    } catch (error) {
      for (const title of titles) report.skip(`${agent.host} ${title}`, error.message)
    }
  }
  return ready
}

async function runAll(ready) {
  console.log(`${ready.map(({ agent }) => `${agent.title} ${agent.version}`).join(', ')}, seed ${seed}`)
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
    const said = []
    for (const [index, { agent, installed, play }] of ready.entries()) {
      if (agent.commands !== undefined) world.addToPath(installed.bin)
      const started = performance.now()
      const talks = await play({ agent, installed, world, model, seed: seed + index, step: report.chain(agent.host) })
      console.log(`     ${agent.title}: ${Math.round((performance.now() - started) / 1000)} s`)
      said.push({ agent, talks })
    }
    await findEachOther(world, said)
  } finally {
    clearTimeout(timer)
    await model.close()
    if (args.keep) console.log(`kept: ${world?.home}`)
    else world?.remove()
  }
}

/** They share a store: each program finds what was said to the one before it, and the first what was said to the last. */
async function findEachOther(world, said) {
  const step = report.chain('together')
  for (const [index, { agent, talks }] of said.length < 2 ? [] : said.entries()) {
    const other = said[(index + 1) % said.length].agent
    await step(`${other.title} finds what was said to ${agent.title}`, () => findsAll(world, other.binary, talks))
  }
}
