/** Opens a page in the user's browser. */
import type { System } from '../../util/system.ts'

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** In the background; `onError` hears why it could not. The browser stays when the daemon ends. */
export function openPage(
  url: string,
  { processes, platform }: Pick<System, 'processes' | 'platform'>,
  onError: (error: Error) => void,
): void {
  const [program, ...args] = OPENERS[platform] ?? ['xdg-open']
  const child = processes().spawn(program, [...args, url], { stdio: 'ignore', detached: true, windowsHide: true })
  child.once('error', onError)
  child.unref()
}
