/** Runs `bridge` with the built-in rules for a host until nothing waits, and remembers which session each line came from. */
import { bridge } from '../bridging/bridge.ts'
import type { Learned } from '../bridging/executor.ts'
import type { HostSpec } from '../hosts/host-spec.ts'
import type { MemoryBackend } from '../memory/backend.ts'
import { MemuError } from '../util/errors.ts'
import type { System } from '../util/system.ts'

export interface Lesson extends Learned {
  readonly host: string
}

export interface HostLessons {
  readonly title: string
  readonly sessions: number
  readonly messages: number
  readonly tools: number
  readonly skippedLines: number
  /** Sessions beyond the limit. */
  readonly left: number
  /** `YYYY-MM-DD` */
  readonly from?: string
  readonly to?: string
  readonly lessons: readonly Lesson[]
}

const SESSIONS_A_RUN = 50

export interface LearnOptions {
  /** Where its sessions lie; where the host keeps them by default. */
  readonly sessionDir?: string
  /** Sessions at the most; all of them by default. */
  readonly most?: number
  readonly signal?: AbortSignal
}

export async function learnFrom(
  spec: HostSpec,
  system: System,
  backend: MemoryBackend,
  { most = Number.POSITIVE_INFINITY, ...options }: LearnOptions = {},
): Promise<HostLessons> {
  const lessons: Lesson[] = []
  const times: string[] = []
  let [sessions, messages, tools, skippedLines, left] = [0, 0, 0, 0, 0]
  for (let waiting = true; waiting; ) {
    const report = await bridge(
      { ...options, executor: 'builtin', maxJobs: Math.min(SESSIONS_A_RUN, most - sessions) },
      { system, spec, backend: async () => backend, value: () => undefined },
    )
    if (report.outcome === 'failed') throw new MemuError('demo_failed', `${spec.binary} bridge failed: ${report.reason}`)
    for (const session of report.prepared?.sessions ?? []) {
      sessions++
      messages += session.messages
      tools += session.tools
      times.push(...[session.from, session.to].filter((time) => time !== undefined))
    }
    skippedLines += (report.prepared?.bad ?? []).reduce((sum, { count }) => sum + count, 0)
    lessons.push(...(report.worked?.learned ?? []).map((learned) => ({ ...learned, host: spec.title })))
    left = report.prepared?.waiting ?? 0
    waiting = left > 0 && (report.prepared?.sessions.length ?? 0) > 0 && sessions < most
  }
  times.sort()
  const [from, to] = [times[0]?.slice(0, 10), times.at(-1)?.slice(0, 10)]
  return {
    title: spec.title,
    sessions,
    messages,
    tools,
    skippedLines,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    left,
    lessons,
  }
}
