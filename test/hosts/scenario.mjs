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
  'mines of a session taken up again only what is new',
  'mines the session of a person who runs prepare',
  'loses no session when it is killed after its third job',
  'loses no session when it stops after its third job and commits',
  'works for bridge and leaves no session behind',
  'loses no session when bridge runs it and it stops after its third job',
]

/** The step that two programs on one machine take together: each finds what was said to the other. */
export async function across(world, [[one, oneTalks], [other, otherTalks]]) {
  await findsAll(world, one.binary, otherTalks)
  await findsAll(world, other.binary, oneTalks)
}

/**
 * @param {object} given
 * @param {import('./agents.mjs').Agent} given.agent
 * @param {object} given.world
 * @param {object} given.model
 * @param {number} given.seed
 * @param {string} given.prompt the text of `templates/bridging-task.txt` as it ships
 * @param {(title: string, body: () => Promise<void>) => Promise<void>} given.step
 * @returns what was said in the conversations that memory must hold
 */
export async function scenario({ agent, world, model, seed, prompt, step }) {
  const title = titles.values()
  const next = (body) => step(title.next().value, body)
  const talks = [1, 2, 3, 4].map((round) => conversations(seed * 100 + round))
  const recalls = (all) => findsAll(world, agent.binary, all)
  const env = (extra) => ({ ...agent.environment(world), ...extra })
  const tree = agent.tree(world.home)
  const ids = () => logFiles(agent, world.home).map(sessionId)
  const held = []
  agent.settle?.(world)

  await next(async () => {
    held.push(...(await holdAll(talks[0])))
    const last = await hold(errand(seed * 100 + 50, `echo "this is session $${agent.sessionVariable}"`))
    expect(ids().length === 4, 'four sessions are on disk', logFiles(agent, world.home))
    expect(last.results.includes(`this is session ${last.id}`), 'the tools of a session know its id', last.results)
  })

  let own
  await next(async () => {
    own = await mine({ env: { MEMU_BRIDGING_RUN: '1' } })
    expect(own.results.includes(own.id), 'prepare says which session it claims as its own', own.results.slice(0, 1000))
  })

  await next(async () => {
    await recalls(talks[0])
    for (const { sentence } of conversations(seed * 100 + 99).flatMap((talk) => talk.facts)) {
      const found = await retrieve(world, agent.binary, sentence)
      expect(!JSON.stringify(found).includes(sentence), 'what was never said is not found', sentence)
    }
  })

  await next(async () => {
    expect(transcript(own.id).includes('job-done'), 'the transcript of the run is on disk', ids())
    expect((await offered()).length === 0, 'prepare offers nothing: neither the run itself nor what was mined', await offered())
  })

  await next(async () => {
    const [known] = held
    const talk = errand(seed * 100 + 55, 'ls -a', talks[0][0].project)
    await converse(talk, () => agent.commands.reopen(known.id))
    expect((await offered()).join() === known.id, 'prepare offers the session that went on, and no other', await offered())
    const { results } = await mine({ env: { MEMU_BRIDGING_RUN: '1' } })
    const said = results
      .split('\n')
      .filter((line) => line.includes('"role":"user"'))
      .join('\n')
    expect(said.includes(talk.facts[0].sentence), 'the new turn is in the slice', said)
    expect(!said.includes(talks[0][0].facts[0].sentence), 'what was mined before is not', said)
    await recalls([talk, ...talks[0]])
  })

  await next(async () => {
    // In a project whose memory file is there already, so that the run has to change a file.
    const talk = errand(seed * 100 + 60, `${agent.binary} prepare`, talks[0][0].project)
    const { id } = await hold(talk)
    expect((await offered()).includes(id), 'prepare offers the session that ran it by hand', await offered())
    // This time the working directory tells that it is a run of the miner.
    await mine({ cwd: tree })
    await recalls([talk, talks[0][0]])
    expect((await offered()).length === 0, 'prepare offers nothing afterwards', await offered())
  })

  await next(async () => {
    await holdAll(talks[1])
    const killer = new AbortController()
    const killed = await mine({ env: { MEMU_BRIDGING_RUN: '1' }, early: { after: 3, stop: () => killer.abort() }, signal: killer.signal })
    expect(killed.ended === 'signal', 'the run was killed', killed.stderr)
    expect((await offered()).length === 3, 'all three sessions are offered again', await offered())
    await mine({ env: { MEMU_BRIDGING_RUN: '1' } })
    await recalls(talks[1])
    expect((await offered()).length === 0, 'prepare offers nothing afterwards', await offered())
  })

  await next(async () => {
    await holdAll(talks[2])
    await mine({ env: { MEMU_BRIDGING_RUN: '1' }, early: { after: 3 } })
    expect((await offered()).length === 3, 'all three sessions are offered again: their skill jobs are not done', await offered())
    await mine({ env: { MEMU_BRIDGING_RUN: '1' } })
    await recalls(talks[2])
    expect((await offered()).length === 0, 'prepare offers nothing afterwards', await offered())
  })

  await next(async () => {
    await holdAll(talks[3])
    const before = ids()
    await bridge(miner(agent))
    expect(ids().join() === before.join(), 'the run of bridge left no session', ids())
    await recalls(talks[3])
    expect((await offered()).length === 0, 'prepare offers nothing afterwards', await offered())
  })

  await next(async () => {
    // In a project whose memory file is there already.
    const more = [71, 72].map((part) => errand(seed * 100 + part, 'ls -a', talks[3][0].project))
    const [, second] = await holdAll(more)
    const stopped = await bridge(miner(agent, { after: 3 }), world.run)
    expect(stopped.code === 1, 'bridge fails when jobs are left', stopped)
    // The third job is the second one of the first session, which is therefore finished.
    expect((await offered()).join() === second.id, 'the unfinished session is offered again, and no other', await offered())
    await bridge(miner(agent))
    await recalls([...more, talks[3][0]])
    expect((await offered()).length === 0, 'prepare offers nothing afterwards', await offered())
  })

  return talks.flat()

  async function holdAll(all) {
    const sessions = []
    for (const talk of all) sessions.push(await hold(talk))
    return sessions
  }

  /** A new conversation with the real program; each turn after the first takes up the newest session again. */
  function hold(talk) {
    return watched(() => converse(talk, (index) => (index === 0 ? agent.commands.start : agent.commands.resume)))
  }

  /** Lets the person and the model say what they have to say, each turn in a run of its own. */
  async function converse(talk, args) {
    const cwd = world.project(talk.project, talk.files)
    for (const [index, turn] of talk.turns.entries()) {
      const start = () => world.succeed([agent.program, ...args(index)], { cwd, env: env(), input: turn.prompt })
      const { stdout } = await play(speaker(agent, talk, index), start)
      expect(stdout.includes(turn.answer), 'the program prints the answer', stdout)
    }
  }

  /** A headless run of the real program with the bridging prompt, from the home of the user. */
  function mine({ env: extra, cwd = world.home, early, signal } = {}) {
    const values = { binary: agent.binary, workspace: tree, jobs: join(tree, 'jobs') }
    const input = prompt.replace(/\{(\w+)\}/g, (token, name) => values[name] ?? token)
    const start = signal === undefined ? world.succeed : world.run
    const command = [agent.program, ...agent.commands.headless]
    return watched(() => play(miner(agent, early), () => start(command, { cwd, env: env(extra), input, signal, timeout: 120_000 })))
  }

  /** `bridge`, which starts the real program itself. */
  function bridge(script, start = world.succeed) {
    return play(script, () => start([agent.binary, 'bridge', '--executor', 'host'], { env: env(), timeout: 120_000 }))
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

  function transcript(id) {
    return readFileSync(
      logFiles(agent, world.home).find((path) => sessionId(path) === id),
      'utf8',
    )
  }
}

/** Asks `binary` for everything that was said in the conversations; throws for the first thing that does not come back. */
async function findsAll(world, binary, talks) {
  for (const { facts, skill, resource } of talks) {
    for (const { question, sentence } of facts) {
      const { segments } = await retrieve(world, binary, question)
      expect(
        segments.some((segment) => segment.text.includes(sentence)),
        `"${question}" finds "${sentence}"`,
        segments,
      )
    }
    if (skill !== undefined) {
      const { files } = await retrieve(world, binary, `the checks say ${skill}`)
      expect(
        files.some((file) => file.track === 'skill' && file.description.includes(skill)),
        `${skill} finds a skill`,
        files,
      )
    }
    if (resource !== undefined) {
      const { resources } = await retrieve(world, binary, resource)
      expect(JSON.stringify(resources).includes(resource), `"${resource}" finds the document`, resources)
    }
  }
}

async function retrieve(world, binary, question) {
  const { stdout } = await world.succeed([binary, 'retrieve', question])
  return JSON.parse(stdout)
}

/** The id at the end of a log file's name. */
function sessionId(path) {
  return /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/.exec(basename(path))?.[1] ?? basename(path)
}
