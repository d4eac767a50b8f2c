/** What one real agent program and memU must manage together, from the first conversation to `bridge`. */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { logFiles } from './agents.mjs'
import { conversations, errand, speaker } from './conversations.mjs'
import { miner } from './miner.mjs'
import { expect } from './steps.mjs'

/** The titles of the steps, in order; a program that cannot be installed skips each. */
export const titles = [
  'holds three conversations and takes each up again',
  'turns them into memory in a headless run of its own',
  'finds what was said, and nothing that was not',
  'has not mined the run itself',
  'mines the session of a person who runs prepare',
  'loses no session when it is killed after its third job',
  'loses no session when it stops after its third job and commits',
  'works for bridge and leaves no session behind',
]

/**
 * @param {object} given
 * @param {import('./agents.mjs').Agent} given.agent
 * @param {object} given.world
 * @param {object} given.model
 * @param {number} given.seed
 * @param {string} given.prompt the text of `templates/bridging-task.txt` as it ships
 * @param {(title: string, body: () => Promise<void>) => Promise<void>} given.step
 */
export async function scenario({ agent, world, model, seed, prompt, step }) {
  const title = titles.values()
  const next = (body) => step(title.next().value, body)
  const talks = [1, 2, 3].map((round) => conversations(seed * 100 + round))
  const others = conversations(seed * 100 + 99)
  const env = (extra) => ({ ...agent.environment(world), ...extra })
  const tree = agent.tree(world.home)
  const ids = () => logFiles(agent, world.home).map(sessionId)
  agent.settle?.(world)

  await next(async () => {
    await holdAll(talks[0])
    const last = await hold(errand(seed * 100 + 50, `echo "this is session $${agent.sessionVariable}"`))
    expect(ids().length === 4, 'four sessions are on disk', logFiles(agent, world.home))
    expect(last.results.includes(`this is session ${last.id}`), 'the tools of a session know its id', last.results)
  })

  let own
  await next(async () => {
    own = await mine({ env: { MEMU_BRIDGING_RUN: '1' } })
    expect(own.results.includes(own.id), 'prepare says which session it claims as its own', own.results.slice(0, 1000))
  })

  await next(() => recalls(talks[0], others))

  await next(async () => {
    expect(transcript(own.id).includes('job-done'), 'the transcript of the run is on disk', ids())
    expect((await offered()).length === 0, 'prepare offers nothing: neither the run itself nor what was mined', await offered())
  })

  await next(async () => {
    // In a project whose memory file is there already, so that the run has to change a file.
    const talk = errand(seed * 100 + 60, `${agent.binary} prepare`, talks[0][0].project)
    const { id } = await hold(talk)
    expect((await offered()).includes(id), 'prepare offers the session that ran it by hand', await offered())
    // This time the working directory tells that it is a run of the miner.
    await mine({ cwd: tree })
    await recalls([talk, talks[0][0]], others)
    expect((await offered()).length === 0, 'prepare offers nothing afterwards', await offered())
  })

  await next(async () => {
    await holdAll(talks[1])
    const killer = new AbortController()
    const killed = await mine({ env: { MEMU_BRIDGING_RUN: '1' }, early: { after: 3, stop: () => killer.abort() }, signal: killer.signal })
    expect(killed.ended === 'signal', 'the run was killed', killed.stderr)
    expect((await offered()).length === 3, 'all three sessions are offered again', await offered())
    await mine({ env: { MEMU_BRIDGING_RUN: '1' } })
    await recalls(talks[1], others)
    expect((await offered()).length === 0, 'prepare offers nothing afterwards', await offered())
  })

  await next(async () => {
    await holdAll(talks[2])
    await mine({ env: { MEMU_BRIDGING_RUN: '1' }, early: { after: 3 } })
    expect((await offered()).length === 3, 'all three sessions are offered again: their skill jobs are not done', await offered())
    await mine({ env: { MEMU_BRIDGING_RUN: '1' } })
    await recalls(talks[2], others)
    expect((await offered()).length === 0, 'prepare offers nothing afterwards', await offered())
  })

  await next(async () => {
    const talk = errand(seed * 100 + 70, 'ls -a', talks[0][0].project)
    await hold(talk)
    const before = ids()
    await play(miner(agent), () => world.succeed([agent.binary, 'bridge', '--executor', 'host'], { env: env(), timeout: 120_000 }))
    expect(ids().join() === before.join(), 'the run of bridge left no session', ids())
    await recalls([talk, talks[0][0]], others)
    expect((await offered()).length === 0, 'prepare offers nothing afterwards', await offered())
  })

  async function holdAll(all) {
    for (const talk of all) await hold(talk)
  }

  /** Holds a conversation with the real program, each turn a run of its own. */
  async function hold(talk) {
    const cwd = world.project(talk.project, talk.files)
    return watched(async () => {
      for (const [index, turn] of talk.turns.entries()) {
        const args = index === 0 ? agent.commands.start : agent.commands.resume
        const script = speaker(agent, talk, index)
        const { stdout } = await play(script, () => world.succeed([agent.program, ...args], { cwd, env: env(), input: turn.prompt }))
        expect(stdout.includes(turn.answer), 'the program prints the answer', stdout)
      }
    })
  }

  /** A headless run of the real program with the bridging prompt, from the home of the user. */
  function mine({ env: extra, cwd = world.home, early, signal } = {}) {
    const values = { binary: agent.binary, workspace: tree, jobs: join(tree, 'jobs') }
    const input = prompt.replace(/\{(\w+)\}/g, (token, name) => values[name] ?? token)
    const start = signal === undefined ? world.succeed : world.run
    const command = [agent.program, ...agent.commands.headless]
    return watched(() => play(miner(agent, early), () => start(command, { cwd, env: env(extra), input, signal, timeout: 120_000 })))
  }

  /** Lets `script` answer the program; a script that broke its own rules fails the step. */
  async function play(script, start) {
    model.script = script
    const result = await start()
    const [problem] = model.problems.splice(0)
    if (problem !== undefined) throw problem
    return result
  }

  /** What `body` returns, with the one session that it left on disk and all that the tools said in it. */
  async function watched(body) {
    const before = ids()
    const result = await body()
    const fresh = ids().filter((id) => !before.includes(id))
    expect(fresh.length === 1, 'one conversation makes one session', fresh)
    return { ...result, id: fresh[0], results: model.results.join('\n') }
  }

  /** The sessions that `prepare`, run by hand, offers. */
  async function offered() {
    const { stdout } = await world.succeed([agent.binary, 'prepare', '--json'])
    return JSON.parse(stdout).sessions.map((session) => session.id)
  }

  async function recalls(all, never) {
    for (const { facts, skill, resource } of all) {
      for (const fact of facts) {
        const found = await retrieve(fact.question)
        expect(
          found.segments.some((segment) => segment.text.includes(fact.sentence)),
          `"${fact.question}" finds "${fact.sentence}"`,
          found.segments,
        )
      }
      if (skill !== undefined) {
        const found = await retrieve(`the checks say ${skill}`)
        expect(
          found.files.some((file) => file.track === 'skill' && file.description.includes(skill)),
          `${skill} finds a skill`,
          found.files,
        )
      }
      if (resource !== undefined) {
        const found = await retrieve(resource)
        expect(
          found.resources.some((known) => JSON.stringify(known).includes(resource)),
          `"${resource}" finds the document`,
          found.resources,
        )
      }
    }
    for (const { sentence } of never.flatMap((talk) => talk.facts)) {
      const found = await retrieve(sentence)
      expect(!JSON.stringify(found).includes(sentence), 'what was never said is not found', sentence)
    }
  }

  async function retrieve(question) {
    const { stdout } = await world.succeed([agent.binary, 'retrieve', question])
    return JSON.parse(stdout)
  }

  function transcript(id) {
    return readFileSync(
      logFiles(agent, world.home).find((path) => sessionId(path) === id),
      'utf8',
    )
  }
}

/** The id at the end of a log file's name. */
function sessionId(path) {
  return /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/.exec(basename(path))?.[1] ?? basename(path)
}
