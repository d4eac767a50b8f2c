/** The daemon's API, as this page uses it. */
import type { ShownState } from '../src/keel/server/pages/now-view.ts'

export type PageState = ShownState & { readonly version: number }

/** What the daemon refused, in its own words. */
export interface Problem {
  readonly message: string
  readonly hint?: string
  /** The setting that it is about. */
  readonly key?: string
}

/** A daemon that does not answer was stopped, or is being started again; whether it still did what it was told, its next state says. */
export const NO_ANSWER: Problem = {
  message: 'keeld does not answer.',
  hint: 'Is it running? What became of this you see here once it is back.',
}

/** What an adding tool takes at most, and a little: the daemon itself ends what takes longer. */
const LIMIT_MS = 60_000

export interface Posted {
  /** Undefined: it is done. */
  readonly problem?: Problem
  readonly body?: unknown
}

/** Never throws. */
export async function post(path: string, content: unknown): Promise<Posted> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(content),
      signal: AbortSignal.timeout(LIMIT_MS),
    })
    const body: unknown = await response.json().catch(() => undefined)
    return response.ok ? { body } : { problem: problemIn(body) ?? { message: `keeld answered with ${response.status}.` } }
  } catch {
    return { problem: NO_ANSWER }
  }
}

function problemIn(body: unknown): Problem | undefined {
  const error = (body as { readonly error?: Partial<Problem> } | undefined)?.error
  return typeof error?.message === 'string' ? (error as Problem) : undefined
}

export interface Polled {
  readonly state: PageState
  readonly etag: string | undefined
  /** Of which run of the daemon it is, whose versions alone can be compared: the ETag without the version. */
  readonly run: string | undefined
}

/** Undefined: it is still what `etag` stands for. Errors: no answer, or none that is a state. */
export async function getState(etag?: string): Promise<Polled | undefined> {
  const response = await fetch('/api/state', {
    headers: etag === undefined ? {} : { 'if-none-match': etag },
    signal: AbortSignal.timeout(5_000),
  })
  if (response.status === 304) return undefined
  // It asks for its token now: the page that does is the answer to loading this one again.
  if (response.status === 401) location.reload()
  if (!response.ok) throw new Error(`the state: ${response.status}`)
  const found = response.headers.get('etag') ?? undefined
  return { state: (await response.json()) as PageState, etag: found, run: found?.slice(0, found.lastIndexOf('-')) }
}
