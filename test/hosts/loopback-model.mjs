/**
 * A model server on 127.0.0.1 whose every answer comes from a script, so that real agent programs run offline: they write their own
 * logs, call their own tools and inherit their own environment. It speaks the Anthropic Messages API, the OpenAI Responses API,
 * OpenAI Chat Completions and Gemini's generateContent.
 */
import { createServer } from 'node:http'
import { anthropic } from './protocols/anthropic.mjs'
import { chat } from './protocols/chat.mjs'
import { gemini } from './protocols/gemini.mjs'
import { responses } from './protocols/responses.mjs'

/**
 * What every protocol turns a request into.
 * @typedef {{ kind: 'user' | 'assistant' | 'call' | 'result', text: string }} Event
 * @typedef {{ model: string, tools: string[], events: Event[] }} Turn `events` in the order of the conversation.
 * @typedef {{ say?: string, call?: { name: string, input: object } }} Reply
 */

const protocols = [anthropic, responses, chat, gemini]

/**
 * Starts the server on a free port. `model.script` answers each turn and may be replaced between runs; what it throws goes to
 * `model.problems`, and the program is told that the model has nothing more to say, so that it ends. `model.results` is what the
 * tools of the newest turn have said so far.
 * @returns {Promise<{ url: string, script: (turn: Turn) => Reply, results: string[], problems: Error[], close: () => Promise<void> }>}
 */
export async function startModel() {
  const model = { url: '', script: silent, results: [], problems: [], close: () => close(server) }
  const server = createServer((request, response) => {
    read(request)
      .then((text) => answer(model, request, response, text))
      .catch((error) => {
        model.problems.push(error)
        if (response.headersSent) response.destroy()
        else json(response, { error: { type: 'invalid_request_error', message: String(error) } }, 400)
      })
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  model.url = `http://127.0.0.1:${server.address().port}`
  return model
}

/** What the model says where no script is set. */
function silent() {
  return { say: 'Nothing to add.' }
}

function answer(model, request, response, text) {
  const path = new URL(request.url ?? '/', 'http://loopback').pathname
  if (path.endsWith('/count_tokens')) return json(response, { input_tokens: 1 })
  if (path.endsWith(':countTokens')) return json(response, { totalTokens: 1 })
  const protocol = request.method === 'POST' ? protocols.find((known) => known.path.test(path)) : undefined
  // Probes for reachability and lists of models: an empty answer is enough for the programs.
  if (protocol === undefined) return json(response, { data: [] })
  const body = JSON.parse(text)
  const turn = protocol.read(body)
  model.results = turn.events.filter((event) => event.kind === 'result').map((event) => event.text)
  const reply = attempt(model, turn)
  if (body.stream !== true && !protocol.streams?.test(path)) return json(response, protocol.whole(body, reply))
  protocol.stream(events(response), body, reply)
  response.end()
}

function attempt(model, turn) {
  try {
    return model.script(turn)
  } catch (error) {
    model.problems.push(error)
    return silent()
  }
}

async function read(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function json(response, value, status = 200) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

/** A writer of server-sent events; without a type the event is unnamed, as Chat Completions has it. A string is sent as it is. */
function events(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  return (data, type) => {
    const line = typeof data === 'string' ? data : JSON.stringify(data)
    response.write(`${type === undefined ? '' : `event: ${type}\n`}data: ${line}\n\n`)
  }
}

function close(server) {
  server.closeAllConnections()
  return new Promise((closed) => server.close(() => closed()))
}
