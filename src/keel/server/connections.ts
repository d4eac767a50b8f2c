/** How many connections there may be. Of too many, those end first that ask for nothing: nobody is shut out by connections that say nothing. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface ConnectionsOptions {
  readonly limit: number
  /** Called when one is ended for the sake of another. */
  readonly onFull: () => void
}

interface Asked {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Returns what watches a server; the limit is for all that it watches together. */
export function limitConnections({ limit, onFull }: ConnectionsOptions): (server: Server) => void {
  /** Oldest first, with what is asked on it. */
  const open = new Map<Socket, Asked | undefined>()

  /** Nothing was asked, or not to the end, or all of the answer was given and is not taken. */
  function isWaiting(asked: Asked | undefined): boolean {
    return asked === undefined || !asked.request.complete || asked.response.writableEnded
  }

  function makeRoom(): void {
    if (open.size <= limit) return
    onFull()
    for (const [socket, asked] of open) {
      // The newest one is among them, and is the last of them: where all the others are busy, it is the one that goes.
      if (isWaiting(asked)) return void socket.destroy()
    }
  }

  return (server) => {
    server.on('connection', (socket: Socket) => {
      open.set(socket, undefined)
      socket.once('close', () => open.delete(socket))
      makeRoom()
    })
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { socket } = request
      if (!open.has(socket)) return
      const asked = { request, response }
      open.set(socket, asked)
      response.once('close', () => {
        if (open.get(socket) === asked) open.set(socket, undefined)
      })
    })
  }
}
