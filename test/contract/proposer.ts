/** What every proposer does, whatever answers behind it. */
import { describe, expect, it } from 'vitest'
import type { Proposer } from '../../src/keel/ai/backend.ts'
import type { MemuError } from '../../src/util/errors.ts'

/** What is behind a proposer does, each time that it is asked. `repeats`: it fails, and says again what it was asked. */
export type Behaviour = { readonly answers: string } | 'hangs' | 'repeats'

export interface ProposerFixture {
  readonly name: string
  open(behaviour: Behaviour): Promise<OpenedProposer>
  /** Over what is not there; absent where there is nothing that could be missing, nor answer: rules of our own. */
  missing?(): Promise<Proposer>
}

export interface OpenedProposer {
  readonly proposer: Proposer
  /** Each text that was handed over as standard input, or as the body of a request, so far. */
  given(): readonly string[]
  /** All else that came with them: arguments, addresses, headers, the environment. */
  beside(): string
}

const BRIEF = 'It is Friday, 2026-06-05, 10:15.\n\n## Tasks\n- Call Zaphod (due 2026-06-05)\n'
/** Of the brief, and of nothing else. */
const TELLING = 'Zaphod'

const never = (): AbortSignal => new AbortController().signal
const answer = (next_action: string, rationale = 'because'): Behaviour => ({ answers: JSON.stringify({ next_action, rationale }) })
const failure = (work: Promise<unknown>): Promise<MemuError> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  ) as Promise<MemuError>

export function proposerContract({ name, open, missing }: ProposerFixture): void {
  describe(`the proposer contract: ${name}`, () => {
    it('gives an action and a reason, one line each', async () => {
      const { proposer } = await open(answer('Call\nZaphod', 'He\r\nwould like it.'))
      const { nextAction, rationale } = await proposer.propose(BRIEF, { signal: never() })
      expect(nextAction).toBe('Call Zaphod')
      expect(rationale).toMatch(/^\P{Cc}{1,500}$/u)
      expect(proposer.name).not.toBe('')
    })

    it('begins nothing that is not wanted any more', async () => {
      const { proposer, given } = await open(answer('walk'))
      const reason = new Error('not wanted')
      const sent: string[] = []
      const options = { signal: AbortSignal.abort(reason), onSent: (text: string) => sent.push(text) }
      await expect(proposer.propose(BRIEF, options)).rejects.toBe(reason)
      expect([...given(), ...sent]).toEqual([])
    })

    it('hands the brief over as data alone, and tells each text that it hands over', async () => {
      const { proposer, given, beside } = await open(answer('walk'))
      const sent: string[] = []
      await proposer.propose(BRIEF, { signal: never(), onSent: (text) => sent.push(text) })
      const texts = given().filter((text) => text.includes(TELLING))
      expect(sent).toHaveLength(texts.length)
      for (const [index, text] of sent.entries()) expect(texts[index]).toBe(text)
      expect(beside()).not.toContain(TELLING)
      expect(proposer.destination === undefined).toBe(missing === undefined)
      expect(texts).toHaveLength(missing === undefined ? 0 : 1)
    })

    it('hears what it must not propose', async () => {
      const { proposer, given } = await open(answer('walk'))
      const { nextAction } = await proposer.propose(BRIEF, { signal: never(), exclude: ['Call Zaphod', 'Feed the "cat"'] })
      expect(nextAction).not.toBe('Call Zaphod')
      if (missing !== undefined) expect(given().join()).toContain('- "Feed the \\"cat\\""')
    })

    if (missing === undefined) return

    it('ends as soon as it is not wanted any more, with the reason', { timeout: 20_000 }, async () => {
      const { proposer, given } = await open('hangs')
      const abort = new AbortController()
      const reason = new Error('dismissed')
      const proposal = failure(proposer.propose(BRIEF, { signal: abort.signal }))
      await expect.poll(() => given().join(), { timeout: 10_000 }).toContain(TELLING)
      abort.abort(reason)
      expect(await proposal).toBe(reason)
    })

    it('says what to do where nothing is there, and has given nothing away', async () => {
      const sent: string[] = []
      const proposer = await missing()
      const error = await failure(proposer.propose(BRIEF, { signal: never(), onSent: (text) => sent.push(text) }))
      expect(error).toMatchObject({ code: 'ai_unavailable', hint: expect.stringMatching(/\w/) })
      expect(error.message).not.toContain(TELLING)
      expect(sent).toEqual([])
    })

    it('fails in one line, and repeats nothing of the brief', async () => {
      const { proposer } = await open('repeats')
      const error = await failure(proposer.propose(BRIEF, { signal: never() }))
      expect(error).toMatchObject({ code: 'ai_failed', message: expect.stringMatching(/^\P{Cc}{1,600}$/u) })
      expect(error.message).not.toContain(TELLING)
    })

    it('asks once more where the answer is no proposal, and not a third time', async () => {
      const { proposer, given } = await open({ answers: 'I would rather not.' })
      expect(await failure(proposer.propose(BRIEF, { signal: never() }))).toMatchObject({ code: 'ai_no_proposal' })
      expect(given().filter((text) => text.includes(TELLING))).toHaveLength(2)
    })
  })
}
