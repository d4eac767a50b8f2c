/** Lets a real agent program hold conversations, and says what memU makes of its log: for programs that memU reads and does not run. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { speaker } from './conversations.mjs'
import { isLogged } from './logs.mjs'
import { play } from './play.mjs'
import { expect } from './steps.mjs'

/** For a turn: some of them unpack themselves or make their databases at the first one. Milliseconds. */
const TURN_LIMIT = 150_000

/**
 * @param {object} given
 * @param {import('./agents.mjs').ReadAgent} given.agent
 * @param {{ bin: string, node?: string }} given.installed see install.mjs
 * @param {object} given.world
 * @param {object} given.model
 */
export function makeTalker({ agent, installed, world, model }) {
  const tree = agent.tree(world.home)
  const first = installed.node === undefined ? [] : [installed.node]
  agent.settle?.(world)

  return {
    /** The folder in which the program works when it is started for `talk`. */
    folder: (talk) => agent.workFolder?.(world.home) ?? world.project(talk.project),
    /** One turn of a conversation, in `session` or in a new one; returns what its tools said. */
    async say(talk, index, { session, env = {} } = {}) {
      const cwd = world.project(talk.project, talk.files)
      if (agent.workFolder !== undefined) fill(agent.workFolder(world.home), talk.files)
      const { prompt, answer } = talk.turns[index]
      const command = [join(installed.bin, agent.program), ...agent.turn({ prompt, project: talk.project, session })]
      const options = { cwd, env: { ...agent.environment(world), ...env }, first, timeout: TURN_LIMIT }
      const { stdout } = await play(model, speaker(agent, talk, index), () => world.succeed(command, options))
      expect(stdout.includes(answer), 'the program prints the answer', stdout)
      return model.results.join('\n')
    },
    /** What `prepare`, run by hand, offers: the sessions with the text and the records of their slices. */
    async offered() {
      const { stdout } = await world.succeed([agent.binary, 'prepare', '--json'])
      return JSON.parse(stdout).sessions.map((session) => {
        const [said, all] = ['', '_full'].map((part) => readFileSync(join(tree, 'sessions', `${session.number}${part}.jsonl`), 'utf8'))
        const lines = all
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
        return { ...session, header: lines[0], records: lines.slice(1), text: said + all }
      })
    },
    /** `bridge` with `script` behind the endpoint; without one by the built-in rules. */
    async bridge(script, env) {
      const command = [agent.binary, 'bridge', '--executor', script === undefined ? 'builtin' : 'openai']
      await play(model, script, () => world.succeed(command, { env, timeout: TURN_LIMIT }))
    },
    isLogged: (text) => isLogged(agent, world.home, text),
  }
}

function fill(folder, files = {}) {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}
