/** The Anthropic Messages API, as Claude Code speaks it. */
import { freshId, textOf } from './text.mjs'

const usage = { input_tokens: 1, output_tokens: 1 }

export const anthropic = { path: /\/messages$/, read, stream, whole }

function read(body) {
  return {
    model: body.model,
    tools: (body.tools ?? []).map((tool) => tool.name),
    events: body.messages.flatMap((message) =>
      typeof message.content === 'string' ? [said(message.role, message.content)] : blocks(message),
    ),
  }
}

function blocks(message) {
  return message.content.flatMap((block) => {
    if (block.type === 'tool_use') return [{ kind: 'call', text: JSON.stringify(block.input) }]
    if (block.type === 'tool_result') return [{ kind: 'result', text: textOf(block.content) }]
    return block.type === 'text' ? [said(message.role, block.text)] : []
  })
}

/** Claude Code also sends `system` messages inside the conversation: context that no person typed. */
function said(role, text) {
  return { kind: role === 'assistant' ? 'assistant' : 'user', text }
}

function content(reply) {
  const parts = []
  if (reply.say !== undefined) parts.push({ type: 'text', text: reply.say })
  if (reply.call !== undefined) parts.push({ type: 'tool_use', id: freshId('toolu'), name: reply.call.name, input: reply.call.input })
  return parts
}

function whole(body, reply) {
  const stop_reason = reply.call === undefined ? 'end_turn' : 'tool_use'
  return {
    id: freshId('msg'),
    type: 'message',
    role: 'assistant',
    model: body.model,
    content: content(reply),
    stop_reason,
    stop_sequence: null,
    usage,
  }
}

function stream(send, body, reply) {
  const message = whole(body, reply)
  const event = (type, rest = {}) => send({ type, ...rest }, type)
  event('message_start', { message: { ...message, content: [], stop_reason: null } })
  for (const [index, block] of message.content.entries()) {
    const text = block.type === 'text'
    event('content_block_start', { index, content_block: text ? { ...block, text: '' } : { ...block, input: {} } })
    const delta = text ? { type: 'text_delta', text: block.text } : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
    event('content_block_delta', { index, delta })
    event('content_block_stop', { index })
  }
  event('message_delta', { delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } })
  event('message_stop')
}
