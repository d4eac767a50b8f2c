/** Figures of merit of a ranking, averaged over questions. */
import type { Question } from './locomo.ts'

/** What one retrieval gave: names of sessions and ids of turns, best first. A line said twice counts for both turns. */
export interface Answer {
  readonly sessions: readonly string[]
  readonly turns: readonly (readonly string[])[]
}

export interface Figures {
  /** A session counts as found when it holds any turn of the evidence. `all5`: every such session is among the first five. */
  readonly session: { readonly r1: number; readonly r5: number; readonly r10: number; readonly mrr: number; readonly all5: number }
  /** Recall is the share of the evidence's turns. */
  readonly turn: { readonly r5: number; readonly r10: number; readonly mrr: number }
}

export interface Judged {
  readonly question: Question
  readonly answer: Answer
}

export function measure(judged: readonly Judged[]): Figures {
  const session = { r1: 0, r5: 0, r10: 0, mrr: 0, all5: 0 }
  const turn = { r5: 0, r10: 0, mrr: 0 }
  for (const { question, answer } of judged) {
    const first = answer.sessions.findIndex((name) => question.sessions.includes(name)) + 1
    if (first === 1) session.r1++
    if (first > 0 && first <= 5) session.r5++
    if (first > 0 && first <= 10) session.r10++
    if (first > 0) session.mrr += 1 / first
    if (question.sessions.every((name) => answer.sessions.slice(0, 5).includes(name))) session.all5++
    turn.r5 += share(question.evidence, answer.turns.slice(0, 5))
    turn.r10 += share(question.evidence, answer.turns.slice(0, 10))
    const firstTurn = answer.turns.findIndex((ids) => ids.some((id) => question.evidence.includes(id))) + 1
    if (firstTurn > 0) turn.mrr += 1 / firstTurn
  }
  return { session: average(session, judged.length), turn: average(turn, judged.length) }
}

function share(wanted: readonly string[], found: readonly (readonly string[])[]): number {
  const ids = new Set(found.flat())
  return wanted.filter((id) => ids.has(id)).length / wanted.length
}

function average<T extends Readonly<Record<string, number>>>(sums: T, count: number): T {
  return Object.fromEntries(Object.entries(sums).map(([key, sum]) => [key, Math.round((sum / Math.max(count, 1)) * 1000) / 1000])) as T
}
