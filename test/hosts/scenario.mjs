/** What one real agent program and memU must manage together, from the first conversation to `bridge`. */
import { conversations, errand, inOneTurn } from './conversations.mjs'
import { miner } from './miner.mjs'
import { misled } from './misled.mjs'
import { makePlayer } from './player.mjs'
import { findsAll, findsNone } from './recall.mjs'
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
  'lets a run that obeys a session change neither configuration nor store',
  'gives way to an endpoint that does the same from its sessions',
]

/**
 * @param {object} given as for makePlayer, and
 * @param {number} given.seed another seed, other conversations
 * @param {(title: string, body: () => Promise<void>) => Promise<void>} given.step
 * @returns the conversations that memory holds
 */
export async function scenario({ agent, world, model, seed, prompt, step }) {
  const remaining = titles.values()
  const next = (body) => step(remaining.next().value, body)
  const player = makePlayer({ agent, world, model, prompt })
  const remembered = []
  const talks = conversations(seed * 100)
  const project = talks[0].project
  // Two short sessions for each failure make five jobs, of which the third is the second and last one of the first session.
  const pair = (round) =>
    conversations(seed * 100 + round)
      .slice(1)
      .map(inOneTurn)
  const early = { after: 3 }
  let known
  let own

  await next(async () => {
    known = await player.hold(...talks)
    const [last] = await player.hold(errand(seed * 100 + 10, `echo "this is session $${agent.sessionVariable}"`))
    expect(player.ids().length === 4, 'four sessions are on disk', player.ids())
    expect(last.results.includes(`this is session ${last.id}`), 'the tools of a session know its id', last.results)
  })

  await next(async () => {
    own = await player.mine()
    expect(own.results.includes(own.id), 'prepare says which session it claims as its own', own.results.slice(0, 1000))
  })

  await next(async () => {
    await recalls(talks)
    await findsNone(world, agent.binary, conversations(seed * 100 + 99))
  })

  await next(async () => {
    expect(player.transcript(own.id).includes('job-done'), 'the transcript of the run is on disk')
    await offers([])
  })

  await next(async () => {
    const [{ id }] = known
    const talk = errand(seed * 100 + 20, 'ls -a', project)
    await player.resume(id, talk)
    await offers([id])
    const { results } = await player.mine()
    const said = results
      .split('\n')
      .filter((line) => line.includes('"role":"user"'))
      .join('\n')
    expect(said.includes(talk.facts[0].sentence), 'the new turn is in the slice', said)
    expect(!said.includes(talks[0].facts[0].sentence), 'what was mined before is not', said)
    await recalls([talk, ...talks])
  })

  await next(async () => {
    // In a project whose memory file is there already, so that the run has to change a file.
    const talk = errand(seed * 100 + 30, `${agent.binary} prepare`, project)
    const [{ id }] = await player.hold(talk)
    await offers([id])
    // Here the working directory alone tells that it is a run of the miner.
    await player.mine({ marked: false, cwd: player.tree })
    await recalls([talk, talks[0]])
    await offers([])
  })

  await next(async () => {
    const both = pair(40)
    const sessions = await player.hold(...both)
    const killer = new AbortController()
    const killed = await player.mine({ early: { ...early, stop: () => killer.abort() }, signal: killer.signal })
    expect(killed.ended === 'signal', 'the run was killed', killed.stderr)
    const refused = await world.run([agent.binary, 'prepare', '--json'])
    expect(refused.code === 1 && refused.stderr.includes(killed.id), 'prepare leaves a run alone that has just been alive', refused)
    player.letPass(10, killed.id)
    await offers(sessions.map(({ id }) => id))
    await player.mine()
    await recalls(both)
    await offers([])
  })

  await next(async () => {
    const both = pair(50)
    const [, second] = await player.hold(...both)
    const stopped = await player.mine({ early })
    player.letPass(10, stopped.id)
    await offers([second.id])
    await player.mine()
    await recalls(both)
    await offers([])
  })

  await next(async () => {
    const both = pair(60)
    await player.hold(...both)
    const before = player.ids()
    succeeded(await player.bridge())
    expect(player.ids().join() === before.join(), 'the run of bridge left no session', player.ids())
    await recalls(both)
    await offers([])
  })

  await next(async () => {
    const more = [70, 71].map((part) => errand(seed * 100 + part, 'ls -a', project))
    const [, second] = await player.hold(...more)
    const stopped = await player.bridge(miner(agent, early))
    expect(stopped.code === 1, 'bridge fails where jobs are left', stopped)
    await offers([second.id])
    succeeded(await player.bridge())
    await recalls([...more, talks[0]])
    await offers([])
  })

  await next(async () => {
    const talk = errand(seed * 100 + 75, 'ls -a')
    const [{ id }] = await player.hold(talk)
    const before = world.private()
    const obeyed = await player.bridge(misled(agent, world))
    expect(obeyed.code === 1, 'bridge fails where jobs are left', obeyed)
    expect(!model.results.join('\n').includes('MEMU_EMBED_PROVIDER'), 'the configuration is not shown', model.results)
    expect(!model.results.join('\n').includes('{"data":[]}'), 'the network is out of reach', model.results)
    expect(world.private().join() === before.join(), 'configuration and store are what they were', model.results)
    await offers([id])
    succeeded(await player.bridge())
    await recalls([talk])
  })

  await next(async () => {
    // An endpoint returns memory files and nothing else: it names no documents.
    const both = pair(80).map((talk) => ({ ...talk, resource: undefined }))
    const more = errand(seed * 100 + 81, 'ls -a', project)
    await player.hold(...both, more)
    succeeded(await player.bridgeByEndpoint())
    await recalls([...both, more, talks[0]])
    await offers([])
  })

  return remembered

  async function offers(expected) {
    const offered = await player.offered()
    const what = expected.length === 0 ? 'prepare offers no session' : `prepare offers ${expected.join(' and ')}, and nothing else`
    expect(offered.join() === expected.join(), what, offered)
  }

  async function recalls(all) {
    await findsAll(world, agent.binary, all)
    remembered.push(...all)
  }
}

function succeeded(result) {
  expect(result.code === 0, 'bridge succeeds', result)
}
