/** Lets one real agent program do things, and says what came of them: conversations, headless runs, `bridge`. */
import { readFileSync, utimesSync } from 'node:fs'
import { basename, join } from 'node:path'
import { speaker } from './conversations.mjs'
import { endpointMiner } from './endpoint-miner.mjs'
import { logFiles } from './logs.mjs'
import { miner } from './miner.mjs'
import { endpointEnvironment, play } from './play.mjs'
import { expect } from './steps.mjs'

/** For a whole bridging run; single turns have the shorter limit of run.mjs. Milliseconds. */
const RUN_LIMIT = 120_000

/**
 * @param {object} given
 * @param {import('./agents.mjs').Agent} given.agent
 * @param {object} given.world
 * @param {object} given.model
 * @param {string} given.prompt the text of `templates/bridging-task.txt` as it ships
 */
export function makePlayer({ agent, world, model, prompt }) {
  const tree = agent.tree(world.home)
  const env = (extra) => ({ ...agent.environment(world), ...extra })
  const ids = () => logFiles(agent, world.home).map(sessionId)
  const logOf = (id) => logFiles(agent, world.home).find((path) => sessionId(path) === id)
  agent.settle?.(world)

  return {
    tree,
    /** The sessions on disk. */
    ids,
    /** New conversations, one after the other; each turn after the first takes up the newest session again. */
    async hold(...talks) {
      const sessions = []
      for (const talk of talks) {
        const args = (index) => (index === 0 ? agent.commands.start : agent.commands.resume)
        sessions.push(await watched(() => converse(talk, args)))
      }
      return sessions
    },
    /** Goes on with a session that is named. */
    resume: (id, talk) => converse(talk, () => agent.commands.reopen(id)),
    /** A headless run with the bridging prompt. `early` as in miner.mjs; a run with `signal` may end as it likes. */
    mine({ marked = true, cwd = world.home, early, signal } = {}) {
      // Without the mark: what the program itself says of the run has to tell.
      const values = { binary: agent.binary, workspace: tree, jobs: join(tree, 'jobs'), run_mark: '' }
      const input = prompt.replace(/\{(\w+)\}/g, (token, name) => values[name] ?? token)
      const options = { cwd, env: env(marked ? { MEMU_BRIDGING_RUN: '1' } : {}), input, signal, timeout: RUN_LIMIT }
      const start = signal === undefined ? world.succeed : world.run
      return watched(() => play(model, miner(agent, early), () => start([agent.program, ...agent.commands.headless], options)))
    },
    /** `bridge`, which starts the program itself. */
    bridge: (script = miner(agent)) => bridge('host', script),
    /** `bridge` with the model behind an endpoint, without the program. */
    bridgeByEndpoint: () => bridge('openai', endpointMiner, endpointEnvironment(world)),
    /** The ids of the sessions that `prepare`, run by hand, offers. */
    async offered() {
      const { stdout } = await world.succeed([agent.binary, 'prepare', '--json'])
      return JSON.parse(stdout).sessions.map((session) => session.id)
    },
    transcript: (id) => readFileSync(logOf(id), 'utf8'),
    /** As if the program had written the last record of the session that many minutes earlier. */
    letPass(minutes, id) {
      const then = new Date(Date.now() - minutes * 60_000)
      utimesSync(logOf(id), then, then)
    },
  }

  /** Lets the person and the model say what they have to say, each turn in a run of its own. */
  async function converse(talk, args) {
    const cwd = world.project(talk.project, talk.files)
    for (const [index, turn] of talk.turns.entries()) {
      const start = () => world.succeed([agent.program, ...args(index)], { cwd, env: env(), input: turn.prompt })
      const { stdout } = await play(model, speaker(agent, talk, index), start)
      expect(stdout.includes(turn.answer), 'the program prints the answer', stdout)
    }
  }

  function bridge(executor, script, extra) {
    const command = [agent.binary, 'bridge', '--executor', executor]
    return play(model, script, () => world.run(command, { env: env(extra), timeout: RUN_LIMIT }))
  }

  /** What `body` returns, with the one session that it left on disk and all that the tools said in it. */
  async function watched(body) {
    const before = ids()
    const result = await body()
    const fresh = ids().filter((id) => !before.includes(id))
    expect(fresh.length === 1, 'one conversation makes one session', fresh)
    return { ...result, id: fresh[0], results: model.results.join('\n') }
  }
}

/** The id at the end of a log file's name. */
function sessionId(path) {
  return /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/.exec(basename(path))?.[1] ?? basename(path)
}
