/** What memU must make of the sessions of a real agent program that it reads, from the first conversation to a run of its own. */
import { conversations, errand, inOneTurn, secret } from './conversations.mjs'
import { endpointMiner } from './endpoint-miner.mjs'
import { endpointEnvironment } from './play.mjs'
import { findsAll, findsNone } from './recall.mjs'
import { expect } from './steps.mjs'
import { makeTalker } from './talker.mjs'

/** The titles of the steps, in order. */
export const readTitles = [
  'holds a conversation with tools and takes it up again',
  'offers it with all that was said and done, in order',
  'learns from it what was said, and nothing that was not',
  'asks memory in another conversation, while its log is read',
  'offers of that one neither what memory answered nor a secret',
  'offers of a session taken up again only what is new',
  'leaves out a run of its own',
]

/** What a tool says that has nothing to do with memU. */
const OTHER_TOOLS = 'these are the other tools'

/**
 * @param {object} given as for makeTalker, and
 * @param {number} given.seed another seed, other conversations
 * @param {(title: string, body: () => Promise<void>) => Promise<void>} given.step
 * @returns the conversations that memory holds
 */
export async function readScenario({ seed, step, ...given }) {
  const { agent, world } = given
  const remaining = readTitles.values()
  const next = (body) => step(remaining.next().value, body)
  const talker = makeTalker(given)
  const [unsaid, talk] = conversations(seed * 100)
  const [known] = talk.facts
  const remembered = []
  let first

  await next(async () => {
    await talker.say(talk, 0)
    await talker.say(talk, 1, { session: 'newest' })
  })

  await next(async () => {
    const [session] = await offers(1)
    first = session.id
    expect(session.header.project === talker.folder(talk), 'the project is the folder', session.header)
    expect(session.header.title === agent.titled?.(talk), 'the title is that of the program', session.header)
    inOrder(session.records, happened(talk))
  })

  await next(async () => {
    await talker.bridge(endpointMiner, endpointEnvironment(world))
    await recalls([talk])
    await findsNone(world, agent.binary, [unsaid])
    await offers(0)
  })

  const token = secret(seed)
  const asks = asking(agent, inOneTurn(conversations(seed * 100 + 10)[0]), { question: known.question, token })

  await next(async () => {
    const results = await talker.say(asks, 0)
    expect(results.includes(known.sentence), 'memory answers', results)
    const read = ['"sessions":[', '"problems":[]'].every((text) => results.includes(text))
    expect(read, 'prepare reads the log beside the program', results)
    for (const text of [token, known.sentence]) expect(talker.isLogged(text), `the program keeps "${text}"`)
  })

  await next(async () => {
    const [session] = await offers(1)
    expect(session.id !== first, 'it is another session', session)
    for (const text of [known.question, known.sentence, token]) expect(!session.text.includes(text), `"${text}" is left out`, session.text)
    const kept = [asks.facts[0].sentence, OTHER_TOOLS, `${asks.project} is [removed: `]
    for (const text of kept) expect(session.text.includes(text), `"${text}" is there`, session.text)
    await talker.bridge()
    await recalls([asks])
    expect(!world.holds(token), 'the secret is in no file of memU')
    await offers(0)
  })

  await next(async () => {
    const more = errand(seed * 100 + 20, 'ls -a', talk.project)
    await talker.say(more, 0, { session: first })
    const [session] = await offers(1)
    expect(session.id === first, 'it is the session that was taken up', session)
    inOrder(session.records, happened(more))
    await talker.bridge(endpointMiner, endpointEnvironment(world))
    await recalls([more, talk])
    await offers(0)
  })

  await next(async () => {
    const hold = agent.sessionVariable === undefined ? markedRun : namedRun
    await hold(errand(seed * 100 + 30, `${agent.binary} prepare`))
    await offers(0)
  })

  return remembered

  async function offers(count) {
    const sessions = await talker.offered()
    expect(sessions.length === count, `prepare offers ${count} sessions`, sessions)
    return sessions
  }

  /** A run that says in its environment what it is, of a program whose tools know their session: `prepare` notes that one. */
  async function namedRun(run) {
    run.turns[0].commands.unshift(`echo "this is session $${agent.sessionVariable}"`)
    const results = await talker.say(run, 0, { env: { MEMU_BRIDGING_RUN: '1' } })
    const [, id] = /This session, (\S+), is not mined\./.exec(results) ?? []
    expect(results.includes(`this is session ${id}`), 'prepare says which session it claims as its own', results)
    expect(talker.isLogged(run.facts[0].sentence), 'the program keeps the session')
  }

  /** A run that says so in its prompt, as those do that memU begins. */
  async function markedRun(run) {
    const mark = `memu-run-${world.nonce()}: this session is work of memU's own, and nothing to learn from.`
    run.turns[0].prompt += `\n\n${mark}`
    await talker.say(run, 0)
    expect(talker.isLogged(run.facts[0].sentence), 'the program keeps the session')
  }

  async function recalls(talks) {
    await findsAll(world, agent.binary, talks)
    remembered.push(...talks)
  }
}

/** A conversation in which the person names a secret, and has the program ask memory and `prepare` look at the log that it writes. */
function asking({ binary }, talk, { question, token }) {
  const [turn] = talk.turns
  const commands = [`${binary} retrieve "${question}"`, `${binary} prepare --json`, `echo ${OTHER_TOOLS}`]
  // Of the facts the one that the built-in rules keep word for word.
  return {
    ...talk,
    facts: talk.facts.slice(1),
    turns: [{ ...turn, prompt: `${turn.prompt} Remember that the token of ${talk.project} is ${token}.`, commands }],
  }
}

/** What a slice must hold of a conversation, in order; of a result only that there is one. */
function happened(talk) {
  return talk.turns.flatMap(({ prompt, commands, answer }) => [
    { role: 'user', text: prompt },
    ...commands.flatMap((command) => [
      { role: 'assistant', text: 'One moment.' },
      { role: 'tool', part: 'call', text: command },
      { role: 'tool', part: 'result' },
    ]),
    { role: 'assistant', text: answer },
  ])
}

function inOrder(records, expected) {
  const holds = (record, wanted) =>
    Object.entries(wanted).every(([key, value]) => (key === 'text' ? record.text?.includes(value) : record[key] === value))
  const same = records.length === expected.length && expected.every((wanted, at) => holds(records[at], wanted))
  expect(same, 'the slice holds all that was said and done, in order', { expected, records })
}
