/** Opens a page in the user's browser. */
import { once } from 'node:events'
import type { System } from '../../util/system.ts'

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/**
 * Resolves when what opens it has started: what comes of that nobody tells. The browser stays when the daemon ends, and gets no key of the
 * daemon's. Errors: those of the system, where there is no such program.
 */
export async function openPage(url: string, { processes, platform, env }: Pick<System, 'processes' | 'platform' | 'env'>): Promise<void> {
  const [program, ...args] = OPENERS[platform] ?? ['xdg-open']
  const theirs = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('KEEL_')))
  const child = processes().spawn(program, [...args, url], { env: theirs, stdio: 'ignore', detached: true, windowsHide: true })
  child.on('error', () => {}) // It is told once; a further one would end the daemon.
  child.unref()
  await once(child, 'spawn')
}
