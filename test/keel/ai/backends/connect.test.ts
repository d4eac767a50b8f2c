import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { type Connect, checkReachable } from '../../../../src/keel/ai/backends/connect.ts'

const { signal } = new AbortController()
const server = (address: string) => ({ title: 'Ollama', url: new URL(address), hint: 'Start it.' })

/** A socket that nothing happens to. */
function silent() {
  const asked: { host: string; port: number }[] = []
  const socket = Object.assign(new EventEmitter(), {
    destroyed: false,
    destroy() {
      this.destroyed = true
    },
  })
  const connect: Connect = (address) => {
    asked.push(address)
    return socket as unknown as Socket
  }
  return { socket, connect, asked }
}

describe('a server', () => {
  it('that takes no connection in time is unavailable', async () => {
    const { connect, socket } = silent()
    await expect(checkReachable(server('http://10.0.0.1:11434'), signal, { connect, limitMs: 20 })).rejects.toMatchObject({
      code: 'ai_unavailable',
      message: 'Ollama cannot be reached at 10.0.0.1:11434: no connection within 0.02 s.',
      hint: 'Start it.',
    })
    expect(socket.destroyed).toBe(true)
  })

  it('is not waited for after a cancel', async () => {
    const { connect, socket } = silent()
    const controller = new AbortController()
    const check = checkReachable(server('http://h'), controller.signal, { connect })
    controller.abort(new Error('dismissed'))
    await expect(check).rejects.toThrow('dismissed')
    expect(socket.destroyed).toBe(true)
    await expect(checkReachable(server('http://h'), controller.signal, { connect })).rejects.toThrow('dismissed')
  })

  it.each([
    ['http://h/v1', { host: 'h', port: 80 }],
    ['https://h', { host: 'h', port: 443 }],
    ['http://[::1]:8080', { host: '::1', port: 8080 }],
  ])('is looked for at the port of its address: %s', async (address, wanted) => {
    const { connect, socket, asked } = silent()
    const check = checkReachable(server(address), signal, { connect })
    socket.emit('connect')
    await check
    expect(asked).toEqual([wanted])
    expect(socket.destroyed).toBe(true)
  })

  it('that fails twice fails once, with the first reason', async () => {
    const { connect, socket } = silent()
    const check = checkReachable(server('http://h'), signal, { connect })
    socket.emit('error', Object.assign(new Error('nope'), { code: 'ENOTFOUND' }))
    socket.emit('error', new Error('again'))
    await expect(check).rejects.toThrow('h: ENOTFOUND.')
  })
})
