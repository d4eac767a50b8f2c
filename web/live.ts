/**
 * The state as it changes, while the page is seen: by server-sent events, and where they cannot be had by asking now and then. A page that
 * is not seen holds no connection: a browser has six of them for all its tabs.
 */
import { getState, type PageState } from './api.ts'

const POLL_MS = 3_000
/** Until a stream is tried again that was refused. */
const STREAM_AGAIN_MS = 60_000
/** A stream that broke is opened anew by the browser; for that long nobody needs to be told. */
const PATIENCE_MS = 1_500

export interface Live {
  /** Resolves once the state of now is shown, or cannot be had. */
  refresh(): Promise<void>
}

export interface LiveOptions {
  readonly onState: (state: PageState) => void
  readonly onLost: (isLost: boolean) => void
}

export function newLive({ onState, onLost }: LiveOptions): Live {
  let stream: EventSource | undefined
  let poll: number | undefined
  let worry: number | undefined
  let etag: string | undefined
  let version = -1
  let run: string | undefined

  function take(state: PageState): void {
    // An answer that was on the way while the stream brought something newer.
    if (state.version < version) return
    version = state.version
    onState(state)
  }

  function found(): void {
    clearTimeout(worry)
    worry = undefined
    onLost(false)
  }

  /** A daemon that was started again counts from the beginning, and who did not listen meanwhile has not seen it go. */
  function startOver(): void {
    version = -1
    etag = run = undefined
  }

  function lost(): void {
    startOver()
    worry ??= window.setTimeout(() => onLost(true), PATIENCE_MS)
  }

  function open(): void {
    close()
    const source = new EventSource('/api/stream')
    stream = source
    let failures = 0
    source.addEventListener('open', () => {
      failures = 0
      startOver()
      found()
    })
    source.addEventListener('state', (event) => take(JSON.parse(event.data as string) as PageState))
    source.addEventListener('error', () => {
      lost()
      failures++
      // The first time the browser tries again by itself; where something in between lets no stream through, asking may still work.
      if (source.readyState !== EventSource.CLOSED && failures < 2) return
      close()
      poll = window.setTimeout(ask, 0, Date.now() + STREAM_AGAIN_MS)
    })
  }

  async function ask(streamAgainAt: number): Promise<void> {
    const mine = poll
    const isThere = await fetched()
    // Meanwhile hidden, or streaming again.
    if (poll !== mine) return
    // Once a daemon that was away is back, its stream is too.
    if (Date.now() >= streamAgainAt) open()
    else poll = window.setTimeout(ask, POLL_MS, isThere ? streamAgainAt : 0)
  }

  async function fetched(): Promise<boolean> {
    try {
      const polled = await getState(etag)
      found()
      if (polled === undefined) return true
      if (run !== undefined && run !== polled.run) startOver()
      etag = polled.etag
      run = polled.run
      take(polled.state)
      return true
    } catch {
      lost() // It is asked again, and the page says that it waits.
      return false
    }
  }

  function close(): void {
    stream?.close()
    clearTimeout(poll)
    stream = poll = undefined
  }

  function follow(): void {
    if (document.visibilityState === 'visible') open()
    else close()
  }

  document.addEventListener('visibilitychange', follow)
  // A page that is kept for the back button is asleep, and must not hold a connection either.
  window.addEventListener('pagehide', close)
  window.addEventListener('pageshow', (event) => event.persisted && follow())
  follow()
  return {
    async refresh() {
      await fetched()
    },
  }
}
