/**
 * Reads LoCoMo (Maharana et al. 2024): long conversations in sessions, and questions with the turns that answer them.
 * The data are CC BY-NC 4.0 and stay outside this repository.
 */
import { readFileSync } from 'node:fs'

export interface Conversation {
  readonly id: string
  readonly sessions: readonly Session[]
  readonly questions: readonly Question[]
  /** Evidence ids that name no turn, and questions left without any. */
  readonly dropped: { readonly evidence: number; readonly questions: number }
}

export interface Session {
  readonly name: string
  readonly turns: readonly { readonly id: string; readonly line: string }[]
}

export interface Question {
  readonly text: string
  /** Ids of the turns that hold the answer, each once. */
  readonly evidence: readonly string[]
  /** The names of their sessions, each once. */
  readonly sessions: readonly string[]
}

interface RawConversation {
  readonly sample_id: string
  readonly conversation: Readonly<Record<string, unknown>>
  readonly qa: readonly { readonly question: unknown; readonly evidence?: readonly unknown[]; readonly category: number }[]
}

interface RawTurn {
  readonly dia_id: string
  readonly speaker: string
  readonly text: string
  readonly blip_caption?: string
}

/** Questions of this category have no answer in the conversation. */
const ADVERSARIAL = 5

export function readLocomo(path: string): Conversation[] {
  return (JSON.parse(readFileSync(path, 'utf8')) as RawConversation[]).map(toConversation)
}

export function toConversation(raw: RawConversation): Conversation {
  const sessions = Object.entries(raw.conversation)
    .filter(([key]) => /^session_\d+$/.test(key))
    .map(([name, turns]) => ({ name, turns: (turns as RawTurn[]).map((turn) => ({ id: turn.dia_id, line: toLine(turn) })) }))
  const sessionOf = new Map(sessions.flatMap(({ name, turns }) => turns.map(({ id }) => [id, name])))
  const dropped = { evidence: 0, questions: 0 }
  const questions: Question[] = []
  for (const { question, evidence = [], category } of raw.qa) {
    if (category === ADVERSARIAL) continue
    const named = evidence.flatMap((entry) => turnIds(String(entry)))
    const found = [...new Set(named.filter((id) => sessionOf.has(id)))]
    dropped.evidence += named.filter((id) => !sessionOf.has(id)).length
    if (found.length > 0)
      questions.push({ text: String(question), evidence: found, sessions: [...new Set(found.map((id) => sessionOf.get(id)!))] })
    else dropped.questions++
  }
  return { id: raw.sample_id, sessions, questions, dropped }
}

/** The ids in an evidence field: `D8:6; D9:17` names two, `D:11:26` means D11:26; anything else names no turn. */
export function turnIds(field: string): string[] {
  const ids = [...field.matchAll(/D:?(\d+):(\d+)/g)].map(([, session, turn]) => `D${Number(session)}:${Number(turn)}`)
  return ids.length > 0 ? ids : [field]
}

function toLine(turn: RawTurn): string {
  const image = turn.blip_caption ? ` [image: ${turn.blip_caption}]` : ''
  return `${turn.speaker}: ${turn.text}${image}`.replace(/\s+/g, ' ').trim()
}
