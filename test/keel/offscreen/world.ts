/** An off-screen mode over fakes, with a clock that stands still until it is moved. */
import { expect, vi } from 'vitest'
import type { Proposal, Proposer } from '../../../src/keel/ai/backend.ts'
import { newOffscreenMode, type RunningMode } from '../../../src/keel/offscreen/mode.ts'
import type { Services } from '../../../src/keel/offscreen/services.ts'
import type { Task, TaskList } from '../../../src/keel/tasks/task-list.ts'
import { type FakeMemory, newFake } from '../fake-memory.ts'

export interface FakeTasks extends TaskList {
  readonly created: string[]
  /** What `list` gives. */
  tasks: Task[]
  /** Holds `create` back; undefined: it is done at once. */
  gate: Promise<void> | undefined
  failure: Error | undefined
}

export function fakeTasks(): FakeTasks {
  const fake: FakeTasks = {
    name: 'fake tasks',
    created: [],
    tasks: [],
    gate: undefined,
    failure: undefined,
    async list() {
      if (fake.failure !== undefined) throw fake.failure
      return fake.tasks
    },
    async create(title) {
      await fake.gate
      if (fake.failure !== undefined) throw fake.failure
      fake.created.push(title)
      return {}
    },
  }
  return fake
}

export interface Question {
  readonly brief: string
  readonly exclude: readonly string[]
  readonly signal: AbortSignal
  answer(nextAction: string): void
  fail(error: Error): void
}

export interface FakeProposer extends Proposer {
  readonly questions: readonly Question[]
  /** Actions for the next questions; a question behind the last one waits for its `answer`. */
  readonly answers: string[]
}

/** `ignoresCancel`: it answers when it likes, cancelled or not. */
export function fakeProposer({ ignoresCancel = false } = {}): FakeProposer {
  const questions: Question[] = []
  const answers: string[] = []
  return {
    name: 'fake',
    questions,
    answers,
    propose(brief, { exclude = [], signal }) {
      return new Promise<Proposal>((resolve, reject) => {
        const answer = (nextAction: string): void => resolve({ nextAction, rationale: 'because' })
        questions.push({ brief, exclude, signal, answer, fail: reject })
        if (!ignoresCancel) signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
        const next = answers.shift()
        if (next !== undefined) answer(next)
      })
    },
  }
}

export interface World {
  readonly mode: RunningMode
  readonly tasks: FakeTasks
  readonly ai: FakeProposer
  readonly memory: FakeMemory
  readonly lines: string[]
  readonly services: Services
  clock: Date
  changes: number
  /** The last question, once there are `count`. */
  question(count: number): Promise<Question>
  proposed(): Promise<NonNullable<ReturnType<RunningMode['view']>['proposal']>>
  /** `[kind, data]` of what was recorded. */
  recorded(): (readonly [string, Readonly<Record<string, unknown>>])[]
}

export const until = <Result>(check: () => Result | Promise<Result>): Promise<Result> => vi.waitFor(check, { timeout: 10_000, interval: 2 })

/** `idPrefix`: several runs over one memory need ids of their own. */
export function world(options: { ai?: FakeProposer; memory?: FakeMemory; services?: Partial<Services>; idPrefix?: string } = {}): World {
  const { ai = fakeProposer(), memory = newFake(), idPrefix = 'id' } = options
  const tasks = fakeTasks()
  const lines: string[] = []
  let ids = 0
  const services: Services = {
    ai,
    tasks,
    memory,
    clock: () => made.clock,
    notify: () => made.changes++,
    log: (line) => lines.push(line),
    ...options.services,
  }
  const mode = newOffscreenMode(services, () => `${idPrefix}${++ids}`)
  const made: World = {
    mode,
    tasks,
    ai,
    memory,
    lines,
    services,
    clock: new Date(2026, 5, 5, 10, 15),
    changes: 0,
    question: (count) =>
      until(() => {
        if (ai.questions.length < count) throw new Error(`${ai.questions.length} questions`)
        return ai.questions[count - 1]!
      }),
    proposed: () =>
      until(() => {
        const { status, proposal } = mode.view()
        if (status !== 'proposed' || proposal === undefined) throw new Error(status)
        return proposal
      }),
    recorded: () => memory.events().map(({ kind, data }) => [kind, data]),
  }
  return made
}

/** A world in which `action` is proposed. */
export async function worldWith(action: string, options: Parameters<typeof world>[0] = {}): Promise<World> {
  const made = world(options)
  made.ai.answers.push(action)
  await made.mode.command({ name: 'start' })
  await made.proposed()
  return made
}

export const code = (expected: string) => expect.objectContaining({ code: expected })
export const kinds = (made: World): string[] => made.recorded().map(([kind]) => kind)

/** A promise and the key to it. */
export function gate(): { readonly promise: Promise<void>; open(): void } {
  let open = (): void => {}
  const promise = new Promise<void>((resolve) => {
    open = resolve
  })
  return { promise, open }
}
