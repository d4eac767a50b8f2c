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
import { startModel } from '../test/hosts/loopback-model.mjs'
import { endAll } from '../test/hosts/run.mjs'
import { across, scenario, titles } from '../test/hosts/scenario.mjs'
import { steps } from '../test/hosts/steps.mjs'
import { makeWorld } from '../test/hosts/world.mjs'

/** Installation apart, all of it must be done by then. */
const LIMIT_MS = 300_000

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { values: args } = parseArgs({ options: { host: { type: 'string' }, seed: { type: 'string' }, keep: { type: 'boolean' } } })
const seed = args.seed === undefined ? randomInt(1, 1_000_000) : Number(args.seed)
const report = steps(console.log)
const chosen = agents.filter((agent) => args.host === undefined || agent.host === args.host)
const prompt = readFileSync(join(root, 'templates', 'bridging-task.txt'), 'utf8').replace(/^# memu-template: .*\n/, '')

const installed = []
for (const agent of chosen) {
  try {
    installed.push({ agent, bin: await install(agent, join(root, '.cache', 'agents')) })
  } catch (error) {
    for (const title of titles) report.skip(`${agent.host} ${title}`, error.message)
  }
}

console.log(`seed ${seed}: ${installed.map(({ agent }) => `${agent.title} ${agent.version}`).join(', ')}`)
const model = await startModel()
const world = await makeWorld({ root, model })
const timer = setTimeout(() => {
  console.log(`FAIL not done after ${LIMIT_MS / 1000} s: everything still running is ended`)
  finish(1)
}, LIMIT_MS)
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => finish(130))
for (const { bin } of installed) world.addToPath(bin)
const said = []
for (const [index, { agent }] of installed.entries()) {
  said.push([agent, await scenario({ agent, world, model, seed: seed + index, prompt, step: report.chain(agent.host) })])
}
if (said.length === 2) await report.chain('both')('find what was said to the other', () => across(world, said))
clearTimeout(timer)
await model.close()
console.log(report.summary())
finish(report.counts.failed > 0 ? 1 : 0)

function finish(code) {
  endAll()
  if (args.keep) console.log(`kept: ${world.home}`)
  else world.remove()
  process.exit(code)
}
