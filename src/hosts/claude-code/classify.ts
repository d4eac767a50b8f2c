/** What a line of a Claude Code transcript is, by its type and the shape of its blocks. */
import type { JsonObject } from '../../util/jsonl.ts'
import { asBlocks, asObject, asText, asTime, contentKey, IMAGE, isImage, joinSpoken, sessionFacts } from '../fields.ts'
import type { Dialect } from '../jsonl-session.ts'
import { toolPart } from '../tool-blocks.ts'
import type { SessionRecord } from '../transcript-source.ts'
import { humanText } from './human-text.ts'

/** What the lines so far said of the session. */
export interface State {
  title?: string
  /** A person's title beats the program's, which beats a summary. */
  titleRank?: number
  project?: string
  branch?: string
}

export interface Transcript {
  /** A subagent's: its "user" is the agent that spawned it. */
  readonly isSubagent: boolean
  /** Tells whether a record was copied from another session whose own transcript is there to be read. */
  readonly copies: (fromStart: boolean) => (record: JsonObject) => boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Line types that hold nothing for a miner and can be large. Those not named here are read and found to be nothing. */
const NOISE =
  /^\{[^{[]*?"type":"(?:progress|file-history-snapshot|file-history-delta|queue-operation|last-prompt|mode|permission-mode|system|stream_event|content-replacement|attribution-snapshot)"/

/** The records of a transcript. */
export const transcriptRecords: Pick<Dialect<State>, 'filter' | 'isRecord'> = {
  filter: {
    skip: (head) => NOISE.test(head.toString('latin1')),
    // How a conversation record begins; neither occurs inside the noise above.
    starts: ['{"parentUuid":', '{"type":"user","uuid":', '{"type":"assistant","uuid":'].map((start) => Buffer.from(start)),
  },
  isRecord: (value) => typeof value.type === 'string' && typeof value.sessionId === 'string',
}

export function claudeCodeDialect(transcript: Transcript): Dialect<State> {
  let isCopy = (_: JsonObject): boolean => false
  return {
    ...transcriptRecords,
    restore: (stored) => {
      isCopy = transcript.copies(stored === undefined)
      return { ...stored }
    },
    classify: (value, state) => {
      note(value, state)
      return isCopy(value) ? [] : classify(value, transcript)
    },
    facts: sessionFacts,
  }
}

function classify(value: JsonObject, transcript: Transcript): SessionRecord[] {
  const type = value.type
  if (type === 'attachment') return queuedPrompt(value, transcript)
  if (type !== 'user' && type !== 'assistant') return []
  if (value.isVirtual === true || value.isCompactSummary === true) return []
  const message = asObject(value.message)
  const blocks = asBlocks(message?.content)
  const records: SessionRecord[] = []
  const speaks = isSpoken(value, message, transcript)
  const text = speaks ? spokenText(blocks, type) : ''
  if (text !== '') records.push(record(value, transcript, { kind: 'message', role: type, text }))
  blocks.forEach((block, index) => {
    const tool = toolPart(block)
    if (tool !== undefined) records.push(record(value, transcript, { kind: 'tool', role: 'tool', ...tool }, index))
  })
  return records
}

/** Whether the text of a record is a person's or the agent's own, spoken in this conversation. */
function isSpoken(value: JsonObject, message: JsonObject | undefined, transcript: Transcript): boolean {
  if (transcript.isSubagent || value.isSidechain === true || value.isMeta === true) return false
  // The program writes "API Error …" and "No response requested." in the agent's name.
  if (value.type === 'assistant') return value.isApiErrorMessage !== true && message?.model !== '<synthetic>'
  return isHuman(value)
}

/** `origin` is absent in older versions and in `claude -p`. */
function isHuman(value: JsonObject): boolean {
  const kind = asObject(value.origin)?.kind
  return kind === undefined || kind === 'human'
}

function spokenText(blocks: readonly JsonObject[], role: 'user' | 'assistant'): string {
  const texts = blocks.map((block) => {
    if (isImage(block)) return IMAGE
    const text = (block.type === 'text' ? asText(block.text) : undefined) ?? ''
    return role === 'user' ? humanText(text) : text.trim()
  })
  return joinSpoken(texts)
}

/** What a person typed while the agent was working is logged as an attachment, and nowhere else. */
function queuedPrompt(value: JsonObject, transcript: Transcript): SessionRecord[] {
  const attachment = asObject(value.attachment)
  if (attachment?.type !== 'queued_command' || (attachment.commandMode ?? 'prompt') !== 'prompt') return []
  if (transcript.isSubagent || value.isSidechain === true || !isHuman(value) || !isHuman(attachment)) return []
  if (attachment.isMeta === true) return []
  const text = spokenText(asBlocks(attachment.prompt), 'user')
  return text === '' ? [] : [record(value, transcript, { kind: 'message', role: 'user', text })]
}

/** A copied record keeps the key of the one it was copied from. */
function record(
  value: JsonObject,
  transcript: Transcript,
  fields: Pick<SessionRecord, 'kind' | 'role' | 'text' | 'tool'>,
  block?: number,
): SessionRecord {
  const id = asText(asObject(value.forkedFrom)?.messageUuid) ?? asText(value.uuid)
  const at = asTime(value.timestamp, transcript.now)
  const key = id === undefined ? contentKey(fields, value.timestamp) : block === undefined ? id : `${id}#${block}`
  return { ...fields, ...(at && { at }), key }
}

function note(value: JsonObject, state: State): void {
  const project = asText(value.cwd)
  if (project !== undefined) state.project ??= project
  const branch = asText(value.gitBranch)
  // "HEAD" stands there outside a repository, too.
  if (branch !== undefined && branch !== 'HEAD') state.branch = branch
  const titles = [value.summary, value.aiTitle, value.customTitle]
  const rank = ['summary', 'ai-title', 'custom-title'].indexOf(String(value.type))
  const title = asText(titles[rank])
  if (title !== undefined && rank >= (state.titleRank ?? 0)) {
    state.title = title.trim()
    state.titleRank = rank
  }
}
