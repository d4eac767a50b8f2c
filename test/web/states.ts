/** States as the pages get them. */
import type { AppState } from '../../src/keel/server/app.ts'

export const PROPOSAL = {
  id: 'abc123',
  nextAction: 'Walk to the river',
  rationale: 'It is dry outside.',
  madeAt: '2026-06-05T10:00:00.000Z',
  by: 'builtin',
} as const

export function appState(offscreen: Partial<AppState['offscreen']> = {}, rest: Partial<AppState> = {}): AppState {
  return {
    version: 1,
    offscreen: { status: 'pending', ...offscreen },
    memory: { where: 'activitywatch', url: 'http://localhost:5600', since: new Date('2026-06-05T09:00:00Z'), waiting: 0, unsaved: 0 },
    ai: 'builtin',
    tasks: 'todo.txt',
    demo: false,
    ...rest,
  }
}
