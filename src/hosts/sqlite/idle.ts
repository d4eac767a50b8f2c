/**
 * Connections that are not in use just now. The sessions of a host are read one after the other and lie in one file, and on Node 20 a
 * closed connection keeps its files open until its statements are collected: without this a first run over thousands of sessions could
 * run out of file descriptors.
 */
import { type Connection, disconnect } from './connection.ts'

/** A run reads one database at a time; a host with profiles goes back and forth between a few. */
const MOST = 4
/** Milliseconds after which a connection that nobody wanted again is closed. */
const WAIT = 1_000

interface Idle {
  readonly connection: Connection
  readonly identity: string
  readonly timer: NodeJS.Timeout
}

const idle = new Map<string, Idle>()

/** One that is open to that very file. */
export function takeIdle(path: string, identity: string): Connection | undefined {
  const found = idle.get(path)
  if (found === undefined) return undefined
  idle.delete(path)
  clearTimeout(found.timer)
  if (found.identity === identity) return found.connection
  disconnect(found.connection)
  return undefined
}

export function keepIdle(path: string, identity: string, connection: Connection): void {
  drop(path)
  const [oldest] = idle.keys()
  if (idle.size >= MOST && oldest !== undefined) drop(oldest)
  idle.set(path, { connection, identity, timer: setTimeout(() => drop(path), WAIT).unref() })
}

function drop(path: string): void {
  const found = idle.get(path)
  if (found === undefined) return
  idle.delete(path)
  clearTimeout(found.timer)
  disconnect(found.connection)
}
