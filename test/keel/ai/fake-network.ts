/** A network on which every server answers the same: for addresses that no test may really ask. */
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import type { Connect } from '../../../src/keel/ai/backends/connect.ts'

export interface FakeNetwork {
  readonly fetch: typeof globalThis.fetch
  readonly connect: Connect
  /** Address and `Authorization` of each request. */
  readonly sent: readonly (readonly [string, string | null])[]
}

export function fakeNetwork(answer: unknown): FakeNetwork {
  const sent: [string, string | null][] = []
  return {
    sent,
    fetch: async (input, init) => {
      sent.push([String(input), new Headers(init?.headers).get('authorization')])
      return Response.json(answer)
    },
    connect: () => {
      const socket = Object.assign(new EventEmitter(), { destroy: () => {} })
      queueMicrotask(() => socket.emit('connect'))
      return socket as unknown as Socket
    },
  }
}
