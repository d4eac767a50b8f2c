/** The OpenAI Responses API, as Codex speaks it. */
import { freshId, textOf } from './text.mjs'

const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2, input_tokens_details: null, output_tokens_details: null }

export const responses = { path: /\/responses$/, read, stream, whole }

function read(body) {
  const items = typeof body.input === 'string' ? [{ type: 'message', role: 'user', content: body.input }] : (body.input ?? [])
  return { model: body.model, tools: (body.tools ?? []).map((tool) => tool.name ?? tool.type), events: items.flatMap(event) }
}

function event(item) {
  if (item.type === 'function_call' || item.type === 'custom_tool_call') return [{ kind: 'call', text: item.arguments ?? item.input ?? '' }]
  if (item.type === 'function_call_output' || item.type === 'custom_tool_call_output')
    return [{ kind: 'result', text: textOf(item.output) }]
  if (item.type !== undefined && item.type !== 'message') return []
  return [{ kind: item.role === 'assistant' ? 'assistant' : 'user', text: textOf(item.content) }]
}

function output(reply) {
  const items = []
  if (reply.say !== undefined) {
    items.push({
      type: 'message',
      id: freshId('msg'),
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: reply.say, annotations: [] }],
    })
  }
  if (reply.call !== undefined) {
    const { name, input } = reply.call
    items.push({
      type: 'function_call',
      id: freshId('fc'),
      call_id: freshId('call'),
      name,
      arguments: JSON.stringify(input),
      status: 'completed',
    })
  }
  return items
}

function whole(body, reply) {
  return { id: freshId('resp'), object: 'response', status: 'completed', model: body.model, output: output(reply), usage }
}

function stream(send, body, reply) {
  const response = whole(body, reply)
  const event = (type, rest) => send({ type, ...rest }, type)
  event('response.created', { response: { ...response, status: 'in_progress', output: [], usage: null } })
  for (const [output_index, item] of response.output.entries()) event('response.output_item.done', { output_index, item })
  event('response.completed', { response })
}
