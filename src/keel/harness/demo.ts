/** A world for `keeld --demo`: tasks, goals and two weeks of history in a folder of its own. Nothing of the user's is read or written. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { localDay } from '../../util/local-day.ts'
import type { System } from '../../util/system.ts'
import type { EventStore } from '../memory/store.ts'
import { ACTION_TAKEN, MODE, PROPOSAL_DISMISSED, PROPOSAL_MADE } from '../offscreen/kinds.ts'

export interface Demo {
  readonly system: System
  readonly settingsFile: string
  readonly storeFile: string
}

const GOALS = `# Goals

- Move every day, if only for ten minutes.
- Read two books a month.
- See friends and family more often.
`

/** The folder exists and is empty. */
export function makeDemo(folder: string, system: System): Demo {
  const at = (name: string): string => join(folder, name)
  const today = localDay(system.now())
  const settings = {
    ai_backend: 'builtin',
    tasks: 'todo-txt',
    todo_txt: at('todo.txt'),
    knowledge_path: at('goals.md'),
    memory: 'local',
    memu: 'off',
    screen_time: 'off',
  }
  write(
    at('todo.txt'),
    `(A) Call the dentist due:${today}\nWater the plants\nSend the travel costs due:${today}\nRepair the bicycle lamp\n`,
  )
  write(at('goals.md'), GOALS)
  write(at('settings.json'), `${JSON.stringify(settings, null, 2)}\n`)
  const env = Object.fromEntries(Object.entries(system.env).filter(([name]) => !name.startsWith('KEEL_')))
  return { system: { ...system, env }, settingsFile: at('settings.json'), storeFile: at('events.db') }
}

function write(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
}

/** Days ago, hour, what, and what became of it. */
const PAST = [
  [13, 10, 'Take a short walk around the block', 'confirmed'],
  [12, 15, 'Water the plants', 'confirmed'],
  [11, 11, 'Read twenty pages of a book', 'dismissed'],
  [10, 16, 'Call an old friend', 'confirmed'],
  [8, 14, 'Tidy one drawer', 'dismissed'],
  [7, 10, 'Stretch for ten minutes', 'confirmed'],
  [7, 17, 'Cook something new', 'confirmed'],
  [5, 12, 'Take the bicycle to the park', 'unactioned'],
  [4, 15, 'Read twenty pages of a book', 'confirmed'],
  [3, 11, 'Write a postcard', 'dismissed'],
  [2, 16, 'Take a short walk around the block', 'confirmed'],
  [1, 10, 'Sort the letters on the shelf', 'dismissed'],
  [1, 18, 'Cook a meal without a screen nearby', 'confirmed'],
] as const

export async function recordDemoHistory(memory: EventStore, now: Date): Promise<void> {
  for (const [index, [days, hour, action, outcome]] of PAST.entries()) {
    const time = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days, hour, (index * 7) % 60)
    const data = { proposal_id: `demo${String(index).padStart(12, '0')}`, mode: MODE }
    await memory.record({ kind: PROPOSAL_MADE, at: time, data: { ...data, next_action: action, rationale: 'A sample of the demo.' } })
    const later = new Date(time.getTime() + 4 * 60_000)
    if (outcome === 'confirmed') await memory.record({ kind: ACTION_TAKEN, at: later, data: { ...data, next_action: action } })
    if (outcome === 'dismissed') await memory.record({ kind: PROPOSAL_DISMISSED, at: later, data })
  }
}
