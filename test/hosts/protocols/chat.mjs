/** OpenAI Chat Completions, as endpoints and most other agent programs speak it. */
import { freshId, textOf } from './text.mjs'

export const chat = { path: /\/chat\/completions$/, read, stream, whole }

function read(body) {
  return { model: body.model, tools: (body.tools ?? []).map((tool) => tool.function?.name), events: body.messages.flatMap(event) }
}

function event(message) {
  if (message.role === 'tool') return [{ kind: 'result', text: textOf(message.content) }]
  const said = textOf(message.content)
  const events = said === '' ? [] : [{ kind: message.role === 'assistant' ? 'assistant' : 'user', text: said }]
  for (const call of message.tool_calls ?? []) events.push({ kind: 'call', text: call.function.arguments })
  return events
}

function message(reply) {
  const call = reply.call
  const tool_calls = call && [
    { index: 0, id: freshId('call'), type: 'function', function: { name: call.name, arguments: JSON.stringify(call.input) } },
  ]
  return { role: 'assistant', content: reply.say ?? null, ...(tool_calls ? { tool_calls } : {}) }
}

function envelope(body, object) {
  return { id: freshId('chatcmpl'), object, created: Math.floor(Date.now() / 1000), model: body.model }
}

function finish(reply) {
  return reply.call === undefined ? 'stop' : 'tool_calls'
}

function whole(body, reply) {
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  return { ...envelope(body, 'chat.completion'), choices: [{ index: 0, message: message(reply), finish_reason: finish(reply) }], usage }
}

function stream(send, body, reply) {
  const head = envelope(body, 'chat.completion.chunk')
  send({ ...head, choices: [{ index: 0, delta: message(reply), finish_reason: null }] })
  send({ ...head, choices: [{ index: 0, delta: {}, finish_reason: finish(reply) }] })
  send('[DONE]')
}
