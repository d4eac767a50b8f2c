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

it('forgets in the memory that is there when another one is on its way, what was left over included', async () => {
  const next = memory()
  const slot = newMemorySlot(memory(() => [event('a', 1, { id: 'x' }), event('a', 2, { id: 'y' })]))
  const replaced = slot.replace(() => next)
  const recorded = slot.record(event('a', 3, { id: 'x' }))
  await slot.forget({ field: 'id', value: 'x' })
  await Promise.all([replaced, recorded])
  expect(next.events()).toEqual([event('a', 2, { id: 'y' })])
})

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

it('asks the memory that is there for what this machine recorded, and for what is recent where nothing is kept here', async () => {
  const none = memory()
  await none.record(event('a', 1))
  const slot = newMemorySlot({ ...memory(), own: async () => [event('a', 2)] })
  expect(await slot.own?.()).toEqual([event('a', 2)])
  await slot.replace(() => none)
  expect(await slot.own?.()).toEqual([event('a', 1)])
})
