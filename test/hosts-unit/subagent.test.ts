import { expect, it } from 'vitest'
import { isSubagent, ownId, refId } from '../../src/hosts/subagent.ts'

it('A subagent’s session is called by its owner and its own id, any other by its own', () => {
  for (const [own, owner, id] of [
    ['a', 'a', 'a'],
    ['b', 'a', 'a/b'],
    ['main/b', 'main/a', 'main/a/main/b'],
  ] as const) {
    expect(refId(own, owner)).toBe(id)
    expect(ownId({ id, owner })).toBe(own)
    expect(isSubagent({ id, owner })).toBe(own !== owner)
  }
})

it('A further file of a session is no subagent’s: its calls wait for the words that follow', () => {
  expect(isSubagent({ id: 'thread_2026-09-02T10-00-00', owner: 'thread' })).toBe(false)
})
