import { expect, it } from 'vitest'
import type { Proposer } from '../../../src/keel/ai/backend.ts'
import { newWitness } from '../../../src/keel/harness/witness.ts'

const { signal } = new AbortController()
const DESTINATION = { kind: 'here', name: 'http://localhost:1' } as const

/** Gives away each text that stands in its brief. */
const talker: Proposer = {
  name: 'talker',
  destination: DESTINATION,
  async propose(brief, { onSent }) {
    for (const text of brief.split('|')) onSent?.(text)
    return { nextAction: 'Walk', rationale: '' }
  },
}

it('knows what of the last brief was given away, and to whom', async () => {
  const witness = newWitness()
  await witness.watch(talker).propose('a|b', { signal })
  expect(witness.about('a|b')).toEqual({ destination: DESTINATION, prompts: ['a', 'b'] })
})

it('says that nothing was where the proposer says nothing of it', async () => {
  const witness = newWitness()
  await witness
    .watch({ ...talker, propose: async () => Promise.reject(new Error('not there')) })
    .propose('a', { signal })
    .catch(() => {})
  expect(witness.about('a')).toEqual({ destination: DESTINATION, prompts: [] })
})

it('keeps what belongs to one brief together, and knows nothing of another one, nor of one that is forgotten', async () => {
  const witness = newWitness()
  const ai = witness.watch(talker)
  await ai.propose('a|b', { signal })
  await ai.propose('a|b', { exclude: ['Walk'], signal })
  expect(witness.about('a|b').prompts).toEqual(['a', 'b'])
  await ai.propose('c', { signal })
  expect(witness.about('a|b')).toEqual({ prompts: [] })
  witness.forget()
  expect(witness.about('c')).toEqual({ prompts: [] })
})

it('tells on who asked what was given away', async () => {
  const told: string[] = []
  await newWitness()
    .watch(talker)
    .propose('a|b', { signal, onSent: (text) => told.push(text) })
  expect(told).toEqual(['a', 'b'])
})
