/**
 * What the person and the model say in the real conversations. Names and values come from a seed, so that another seed gives other
 * conversations and, if memory really comes from them, another memory.
 */

const words = {
  project: ['harbor', 'meadow', 'lantern', 'quarry', 'orchard', 'beacon', 'thicket', 'glacier'],
  manager: ['pnpm', 'yarn', 'bun', 'npm'],
  bucket: ['walnut', 'saffron', 'cobalt', 'juniper', 'basalt', 'marigold'],
  queue: ['swallow', 'heron', 'plover', 'magpie', 'osprey'],
  city: ['Lisbon', 'Tallinn', 'Osaka', 'Quito', 'Nairobi', 'Bergen'],
}

/**
 * @typedef {object} Conversation
 * @property {string} project the name of the folder it is held in
 * @property {string} name what the model calls it, where a program asks
 * @property {{ prompt: string, commands: string[], answer: string }[]} turns
 * @property {{ sentence: string, question: string }[]} facts what must come back, and how somebody asks for it
 * @property {string} [skill] a piece of the error message under which the skill is found
 * @property {string} [resource] the title of the document that it leaves behind
 */

/** Three conversations of two turns. @param {number} seed @returns {Conversation[]} */
export function conversations(seed) {
  const { pick, two, number, tag } = dice(seed)
  const [first, second, third] = pick3(pick, words.project).map((name) => `${name}-${tag()}`)
  const [wanted, unwanted] = two(words.manager)
  const [newQueue, oldQueue] = two(words.queue)
  const bucket = `${pick(words.bucket)}-${tag()}`
  const port = number(2000, 9000)
  const code = `ERR_${tag().toUpperCase()}_${number(10, 99)}`
  const [city, document] = [pick(words.city), `Moving plan ${tag()}`]
  return [
    talk(first, [
      {
        prompt: 'Please look at what is in this folder.',
        fact: `In ${first} I always want ${wanted} for installing packages and never ${unwanted}.`,
        question: `which package manager installs the dependencies of ${first}?`,
        commands: ['ls -a', `grep -c name package.json`],
      },
      {
        fact: `We decided that ${first} keeps its uploads in the bucket ${bucket}, because it is replicated.`,
        question: `where does ${first} store uploaded files?`,
      },
    ]),
    {
      ...talk(second, [
        {
          prompt: 'Please run the checks, and find out what they need when they fail.',
          fact: `The staging server of ${second} listens on port ${port}.`,
          question: `on which port does the staging server of ${second} listen?`,
          commands: ['sh check.sh', `PORT=${port} sh check.sh`],
        },
        {
          fact: `The error ${code} means that PORT is missing, and ${second} never reads it from a file.`,
          question: `what is ${code}?`,
        },
      ]),
      files: {
        'check.sh': `if [ -z "$PORT" ]; then echo "error ${code}: cannot start the checks"; exit 1; fi\necho checks passed on $PORT\n`,
      },
      skill: code,
    },
    {
      ...talk(third, [
        {
          prompt: 'Please write down the plan for the move.',
          fact: `The machines of ${third} move to ${city} in spring.`,
          question: `where do the machines of ${third} go?`,
          commands: [
            `mkdir -p docs && printf '# ${document} for ${third}\\n\\nFirst the database.\\n' > docs/move.md && ls "$PWD/docs/move.md"`,
          ],
        },
        {
          fact: `No, ${third} sends its events to the queue ${newQueue} and not to ${oldQueue}.`,
          question: `to which queue does ${third} send events?`,
        },
      ]),
      resource: document,
    },
  ]
}

/** The same conversation, said in one turn. */
export function inOneTurn(talk) {
  const [first, ...rest] = talk.turns
  return { ...talk, turns: [{ ...first, prompt: [first, ...rest].map((turn) => turn.prompt).join(' ') }] }
}

/** One short conversation in which the person has `command` run; in a project of its own where none is named. */
export function errand(seed, command, known) {
  const { pick, tag, number } = dice(seed)
  const project = known ?? `${pick(words.project)}-${tag()}`
  return talk(project, [
    {
      prompt: 'Please run the command that I name.',
      fact: `The nightly job of ${project} starts at minute ${number(10, 59)} and is called ${pick(words.bucket)}-${tag()}.`,
      question: `what is the nightly job of ${project} called?`,
      commands: [command],
    },
  ])
}

/**
 * A made-up key in the format of a known provider; put together here, so that no file of ours looks as if it held one. OpenClaw leaves
 * most formats out of its log by itself; not this one.
 */
export function secret(seed) {
  const { number } = dice(seed)
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  return `lin${'_'}api_${Array.from({ length: 40 }, () => letters[number(0, letters.length - 1)]).join('')}`
}

function talk(project, turns) {
  return {
    project,
    name: `Notes on ${project}`,
    files: { 'package.json': `{ "name": "${project}" }\n` },
    turns: turns.map(({ prompt, fact, commands = [] }) => ({
      prompt: prompt === undefined ? fact : `${prompt} ${fact}`,
      commands,
      answer: 'Understood, I will keep to it.',
    })),
    facts: turns.map(({ fact, question }) => ({ sentence: fact, question })),
  }
}

/**
 * The script of a model that holds turn number `index` of a conversation: it runs the turn's commands, one after the other, and
 * then gives its answer.
 */
export function speaker(agent, conversation, index) {
  const { prompt, commands, answer } = conversation.turns[index]
  return (turn) => {
    const start = turn.events.findLastIndex((event) => event.kind === 'user' && event.text.includes(prompt))
    if (start === -1 || turn.tools.length === 0) return { say: conversation.name }
    const done = turn.events.slice(start).filter((event) => event.kind === 'result').length
    return done < commands.length ? { say: 'One moment.', call: agent.tools.shell(commands[done]) } : { say: answer }
  }
}

/** Repeatable chance (mulberry32). */
function dice(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const number = (low, high) => low + Math.floor(next() * (high - low + 1))
  const pick = (list) => list[number(0, list.length - 1)]
  const two = (list) => {
    const first = pick(list)
    return [first, pick(list.filter((item) => item !== first))]
  }
  const tag = () => number(4096, 65535).toString(16)
  return { number, pick, two, tag }
}

function pick3(pick, list) {
  return [pick(list), pick(list), pick(list)]
}
