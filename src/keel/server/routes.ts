/** Every path of the daemon, and what answers there. */
import type { Route } from './exchange.ts'
import { apiCommand, formCommand } from './routes/commands.ts'
import { apiForget, formForget } from './routes/forget.ts'
import { ASSETS, apiHistory, apiState, apiStream, asset, briefView, health, historyView, mainView } from './routes/reading.ts'
import { apiChangeSettings, apiSettings, formSettings, settingsView } from './routes/settings.ts'
import { enterToken } from './routes/token.ts'

const ROUTES: ReadonlyMap<string, readonly Route[]> = new Map<string, readonly Route[]>([
  ['/', [mainView]],
  ['/history', [historyView]],
  ['/brief', [briefView]],
  ['/settings', [settingsView, formSettings]],
  ['/command', [formCommand]],
  ['/forget', [formForget]],
  ['/token', [enterToken]],
  ['/api/state', [apiState]],
  ['/api/stream', [apiStream]],
  ['/api/history', [apiHistory]],
  ['/api/command', [apiCommand]],
  ['/api/forget', [apiForget]],
  ['/api/settings', [apiSettings, apiChangeSettings]],
  ['/healthz', [health]],
])

/** The routes of a path, one a method; none where there is no such path. */
export function routesOf(path: string): readonly Route[] {
  return path.startsWith(ASSETS) ? [asset] : (ROUTES.get(path) ?? [])
}

/** For `Allow`. */
export function methodsOf(routes: readonly Route[]): string {
  return [...routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(', ')
}
