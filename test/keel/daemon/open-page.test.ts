import type * as childProcess from 'node:child_process'
import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { openPage } from '../../../src/keel/daemon/open-page.ts'

const URL = 'http://localhost:7777'

function open(platform: NodeJS.Platform) {
  const child = Object.assign(new EventEmitter(), { unref: () => {} })
  const spawned: unknown[][] = []
  const spawn = (...args: unknown[]): unknown => {
    spawned.push(args)
    return child
  }
  const system = {
    platform,
    env: { PATH: '/bin', DISPLAY: ':0', KEEL_TOKEN: 'secret', KEEL_AI_KEY: 'secret' },
    processes: () => ({ spawn }) as unknown as typeof childProcess,
  }
  const opened = openPage(URL, system)
  opened.catch(() => {})
  return { child, spawned, opened }
}

describe('openPage', () => {
  it.each([
    ['linux', ['xdg-open', [URL]]],
    ['darwin', ['open', [URL]]],
    ['win32', ['rundll32', ['url.dll,FileProtocolHandler', URL]]],
  ] as const)('starts what opens a page on %s, without a shell', (platform, call) => {
    expect(open(platform).spawned).toMatchObject([[...call, { detached: true }]])
  })

  it('hands no key on', () => {
    expect(open('linux').spawned[0]![2]).toMatchObject({ env: { PATH: '/bin', DISPLAY: ':0' } })
    expect(JSON.stringify(open('linux').spawned)).not.toContain('secret')
  })

  it('is done when that has started', async () => {
    const { child, opened } = open('linux')
    child.emit('spawn')
    await opened
  })

  it('tells why it could not', async () => {
    const { child, opened } = open('linux')
    child.emit('error', new Error('spawn xdg-open ENOENT'))
    await expect(opened).rejects.toThrow('spawn xdg-open ENOENT')
  })
})
