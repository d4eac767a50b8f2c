/** A daemon without anything behind it: it remembers what it was told, and changes when a test says so. */

import type { OffscreenCommand, OffscreenView } from '../../../src/keel/offscreen/view.ts'
import type { App, AppState, History, SettingView } from '../../../src/keel/server/app.ts'
import { InvalidSetting } from '../../../src/keel/settings/invalid-setting.ts'
import { MemuError } from '../../../src/util/errors.ts'

export interface FakeApp extends App {
  readonly commands: OffscreenCommand[]
  readonly changes: Readonly<Record<string, string>>[]
  readonly listeners: number
  /** `undefined`: everything. */
  readonly forgotten: (string | undefined)[]
  /** Another state, and everybody is told. */
  become(view: OffscreenView): void
  /** What the next command or history comes to. */
  next: Error | undefined
  historyAsked: { readonly days: number; readonly signal: AbortSignal }[]
  /** History never answers. */
  hangs: boolean
}

const SETTINGS: readonly SettingView[] = [
  { key: 'ai_backend', label: 'Proposals from', value: 'builtin', source: 'default', choices: ['builtin', 'ollama'], help: '' },
  { key: 'ai_model', label: 'Model', value: '', source: 'default', help: '' },
  { key: 'marvin_cmd', label: 'Command', value: '', source: 'default', locked: 'What runs a program is never set here.', help: '' },
  { key: 'ai_key', label: 'Key', value: '••••••••', source: 'file', locked: 'A key is never set or shown here.', help: '' },
]
const HISTORY: History = { entries: [], days: [], isCut: false }

export function fakeApp(initial: OffscreenView = { status: 'pending' }): FakeApp {
  let view = initial
  let version = 0
  let settings = SETTINGS
  const listeners = new Set<() => void>()
  const app: FakeApp = {
    commands: [],
    changes: [],
    forgotten: [],
    historyAsked: [],
    next: undefined,
    hangs: false,
    get listeners() {
      return listeners.size
    },
    become(next) {
      view = next
      version++
      for (const listener of listeners) listener()
    },
    state: (): AppState => ({
      version,
      offscreen: view,
      memory: { where: 'embedded', url: 'http://localhost:5600', since: new Date(0), reason: 'connection refused', waiting: 2, unsaved: 0 },
      ai: 'builtin',
      tasks: 'none',
      demo: false,
    }),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async command(command) {
      app.commands.push(command)
      throwNext()
      if (command.name === 'confirm' && command.proposalId === 'old')
        throw new MemuError('stale_proposal', 'Not the current one.', { hint: 'Load again.' })
    },
    brief: () => ({ text: '## Goals\n<b>walk</b>', at: '2026-06-05T10:00:00.000Z', to: 'builtin', prompts: [] }),
    async history(days, signal) {
      app.historyAsked.push({ days, signal })
      throwNext()
      if (app.hangs) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      return HISTORY
    },
    async forget(proposalId) {
      app.forgotten.push(proposalId)
      throwNext()
    },
    settings: () => settings,
    async changeSettings(values) {
      app.changes.push(values)
      if (values.ai_backend === 'wrong')
        throw new InvalidSetting('ai_backend', 'KEEL_AI_BACKEND cannot be "wrong".', { code: 'invalid_backend' })
      settings = settings.map((setting) => ({ ...setting, value: values[setting.key] ?? setting.value }))
    },
  }
  return app

  function throwNext(): void {
    const error = app.next
    app.next = undefined
    if (error !== undefined) throw error
  }
}

/** A proposal as the page shows it. */
export const proposed = (id: string, nextAction = 'Take a walk'): OffscreenView => ({
  status: 'proposed',
  proposal: { id, nextAction, rationale: 'You sat all day.', madeAt: '2026-06-05T10:00:00.000Z', by: 'builtin' },
})
