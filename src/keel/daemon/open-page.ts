/** Opens a page in the user's browser. */
import type { System } from '../../util/system.ts'

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** In the background; `onError` hears why it could not. The browser stays when the daemon ends, and gets no key of the daemon's. */
export function openPage(
  url: string,
  { processes, platform, env }: Pick<System, 'processes' | 'platform' | 'env'>,
  onError: (error: Error) => void,
): void {
  const [program, ...args] = OPENERS[platform] ?? ['xdg-open']
  const theirs = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('KEEL_')))
  const child = processes().spawn(program, [...args, url], { env: theirs, stdio: 'ignore', detached: true, windowsHide: true })
  child.once('error', onError)
  child.unref()
}
