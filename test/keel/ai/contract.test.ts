import { onTestFinished } from 'vitest'
import { openProposer } from '../../../src/keel/ai/open.ts'
import { type Behaviour, type OpenedProposer, proposerContract } from '../../contract/proposer.ts'
import { type JsonServer, jsonServer, type Reply } from '../../helpers/json-server.ts'
import { standIn } from './backends/stand-in.ts'
import { testSystem } from './system.ts'

proposerContract({
  name: 'builtin',
  open: async () => ({
    proposer: await openProposer({ backend: 'builtin' }, { ...testSystem(), now: () => new Date(2026, 5, 5, 10, 15) }),
    given: () => [],
    beside: () => '',
  }),
})

/** A program that behaves so once it has read its input. */
async function program(backend: 'claude' | 'codex', behaviour: Behaviour, answering: (text: string) => string): Promise<OpenedProposer> {
  const body =
    behaviour === 'hangs'
      ? 'setInterval(() => {}, 1000)'
      : behaviour === 'repeats'
        ? 'console.error("error: no\\n" + input); process.exitCode = 1'
        : answering(JSON.stringify(behaviour.answers))
  const { folder, runs } = standIn(backend, backend === 'codex' ? `if (args[0] === 'mcp') { say([]) } else { ${body} }` : body)
  return {
    proposer: await openProposer({ backend }, testSystem([folder])),
    given: () => runs().map(({ input }) => input),
    beside: () => JSON.stringify(runs().map(({ args, cwd, inside, env }) => [args, cwd, inside, env])),
  }
}

proposerContract({
  name: 'claude',
  open: async (behaviour) =>
    program('claude', behaviour, (text) => `say({ type: 'result', subtype: 'success', is_error: false, result: ${text} })`),
  missing: async () => openProposer({ backend: 'claude' }, testSystem([], { PATH: '/nowhere' })),
})

proposerContract({
  name: 'codex',
  open: async (behaviour) =>
    program('codex', behaviour, (text) => `fs.writeFileSync(args[args.indexOf('--output-last-message') + 1], ${text})`),
  missing: async () => openProposer({ backend: 'codex' }, testSystem([], { PATH: '/nowhere' })),
})

/** A server that behaves so. */
async function served(backend: 'ollama' | 'openai', behaviour: Behaviour, answering: (text: string) => object): Promise<OpenedProposer> {
  const server = await serving(({ body }) => {
    if (behaviour === 'hangs') return { trouble: 'hang' }
    if (behaviour === 'repeats') return { status: 400, body: { error: { message: JSON.stringify(body.messages).slice(-300) } } }
    return { body: answering(behaviour.answers) }
  })
  return {
    proposer: await openProposer({ backend, url: server.url, model: 'small' }, testSystem()),
    given: () => server.asked.map(({ body }) => String((body.messages as { content: unknown }[])[0]!.content)),
    beside: () => JSON.stringify(server.asked.map(({ method, path, headers, body }) => [method, path, headers, { ...body, messages: [] }])),
  }
}

async function serving(reply: (asked: JsonServer['asked'][number]) => Reply): Promise<JsonServer> {
  const server = await jsonServer(reply)
  onTestFinished(() => server.close())
  return server
}

async function gone(): Promise<string> {
  const server = await jsonServer(() => ({}))
  await server.close()
  return server.url
}

proposerContract({
  name: 'ollama',
  open: (behaviour) =>
    served('ollama', behaviour, (content) => ({ message: { role: 'assistant', content }, done: true, done_reason: 'stop' })),
  missing: async () => openProposer({ backend: 'ollama', url: await gone(), model: 'small' }, testSystem()),
})

proposerContract({
  name: 'openai',
  open: (behaviour) => served('openai', behaviour, (content) => ({ choices: [{ index: 0, finish_reason: 'stop', message: { content } }] })),
  missing: async () => openProposer({ backend: 'openai', url: await gone(), model: 'small' }, testSystem()),
})
