import { expect, it } from 'vitest'
import { newMemorySlot } from '../../../src/keel/harness/memory-slot.ts'
import type { KeelMemory } from '../../../src/keel/memory/store.ts'
import { event } from '../../contract/keel-memory.ts'
import { newFake } from '../fake-memory.ts'

function memory(leftOver: KeelMemory['leftOver'] = () => []) {
  const fake = newFake()
  return {
    ...fake,
    state: () => ({ where: 'embedded' as const, url: '', since: new Date(0), waiting: 0, unsaved: 0 }),
    flush: async () => {},
    close: async () => {},
    leftOver,
  }
}

it('gives the next memory what the one before could not store, and goes on where that cannot store it either', async () => {
  const left = [event('a', 1), event('a', 2)]
  const next = memory(() => left)
  const slot = newMemorySlot(memory(() => left))
  await slot.replace(() => next)
  expect(next.events()).toEqual(left)
  const last = memory()
  last.failWith(new Error('full'))
  await slot.replace(() => last)
  await expect(slot.record(event('a', 3))).rejects.toThrow('full')
})
