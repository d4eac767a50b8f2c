/** A world for `keeld --demo`: tasks, goals and four weeks of history in a folder of its own. Nothing of the user's is read or written. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { localDay } from '../../util/local-day.ts'
import type { System } from '../../util/system.ts'
import type { EventStore } from '../memory/store.ts'
import { ACTION_TAKEN, MODE, PROPOSAL_DISMISSED, PROPOSAL_MADE, PROPOSAL_PUT_ASIDE } from '../offscreen/kinds.ts'
import { PAST } from './demo-past.ts'

export interface Demo {
  readonly system: System
  readonly settingsFile: string
  readonly storeFile: string
}

const GOALS = `- Move every day, if only for ten minutes of walking.
- Read two books a month.
- See friends and family more often.
`

/**
 * Nothing that can be done away from the screen in one go: what is proposed is not on the list yet, so that whoever confirms it sees it
 * come there.
 */
function tasks(today: string): string {
  return [
    `(A) Send the travel costs by email due:${today}`,
    'Write the report about the last quarter +Office',
    'Repair the lamp of the bicycle, oil its chain and look after its brakes +Home',
    'Compare prices for a new kettle online +Home',
    '',
  ].join('\n')
}

/** The folder exists and is empty. */
export function makeDemo(folder: string, system: System): Demo {
  const at = (name: string): string => join(folder, name)
  const settings = {
    ai_backend: 'builtin',
    tasks: 'todo-txt',
    todo_txt: at('todo.txt'),
    knowledge_path: at('goals.md'),
    memory: 'local',
    memu: 'off',
    screen_time: 'off',
  }
  write(at('todo.txt'), tasks(localDay(system.now())))
  write(at('goals.md'), GOALS)
  write(at('settings.json'), `${JSON.stringify(settings, null, 2)}\n`)
  const env = Object.fromEntries(Object.entries(system.env).filter(([name]) => !name.startsWith('KEEL_')))
  return { system: { ...system, env }, settingsFile: at('settings.json'), storeFile: at('events.db') }
}

function write(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
}

/** How long a proposal of the past stood before something was said to it. */
const ANSWERED_AFTER_MS = 4 * 60_000

/** Errors: those of the memory. */
export async function recordDemoHistory(memory: EventStore, now: Date): Promise<void> {
  for (const [index, [days, hour, action, rationale, outcome, reason]] of PAST.entries()) {
    const at = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days, hour, (index * 7) % 60)
    const data = { proposal_id: `demo${String(index).padStart(12, '0')}`, mode: MODE }
    await memory.record({ kind: PROPOSAL_MADE, at, data: { ...data, next_action: action, rationale } })
    const later = { at: new Date(at.getTime() + ANSWERED_AFTER_MS) }
    if (outcome === 'confirmed') await memory.record({ ...later, kind: ACTION_TAKEN, data: { ...data, next_action: action } })
    if (outcome === 'put aside') await memory.record({ ...later, kind: PROPOSAL_PUT_ASIDE, data })
    if (outcome === 'dismissed')
      await memory.record({ ...later, kind: PROPOSAL_DISMISSED, data: { ...data, ...(reason === undefined ? {} : { reason }) } })
  }
}
