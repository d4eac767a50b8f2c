/** A backend that answers from a list and keeps what it was asked. */
import type { Backend } from '../../../src/keel/ai/backend.ts'

export interface FakeBackend extends Backend {
  readonly prompts: readonly string[]
}

/** An `Error` is thrown, a function gets the signal; behind the last answer the last one is repeated. */
export function fakeBackend(...answers: (string | Error | ((signal: AbortSignal) => Promise<string>))[]): FakeBackend {
  const prompts: string[] = []
  return {
    name: 'fake',
    prompts,
    async ask(prompt, { signal }) {
      prompts.push(prompt)
      const answer = answers[Math.min(prompts.length, answers.length) - 1]
      if (answer === undefined) throw new Error('nothing to answer')
      if (answer instanceof Error) throw answer
      return typeof answer === 'string' ? answer : answer(signal)
    },
  }
}

/** As a model gives it. */
export function answered(next_action: string, rationale = 'because'): string {
  return JSON.stringify({ next_action, rationale })
}
