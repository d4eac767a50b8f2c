/** Gemini's generateContent, as Gemini CLI speaks it. */
import { freshId } from './text.mjs'

const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 }

/** Whether the answer is a stream is said by the path, not by the body. */
export const gemini = { path: /:(?:streamG|g)enerateContent$/, streams: /:streamGenerateContent$/, read, stream, whole }

function read(body) {
  return {
    model: 'gemini',
    tools: (body.tools ?? []).flatMap((tool) => (tool.functionDeclarations ?? []).map(({ name }) => name)),
    events: (body.contents ?? []).flatMap(({ role, parts = [] }) => parts.flatMap((part) => event(role, part))),
  }
}

function event(role, { text, thought, functionCall, functionResponse }) {
  if (functionCall !== undefined) return [{ kind: 'call', text: JSON.stringify(functionCall.args) }]
  if (functionResponse !== undefined) return [{ kind: 'result', text: answered(functionResponse.response) }]
  if (text === undefined || thought) return []
  return [{ kind: role === 'model' ? 'assistant' : 'user', text }]
}

/** A tool's answer is an object; most have one field with text. */
function answered(response) {
  return typeof response?.output === 'string' ? response.output : JSON.stringify(response)
}

function whole(_body, { say, call }) {
  const parts = []
  if (say !== undefined) parts.push({ text: say })
  if (call !== undefined) parts.push({ functionCall: { id: freshId('call'), name: call.name, args: call.input } })
  return { responseId: freshId('resp'), candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }], usageMetadata }
}

/** A stream of one piece. */
function stream(send, body, reply) {
  send(whole(body, reply))
}
