import { describe, expect, it } from 'vitest'
import { noTasks } from '../../../src/keel/tasks/none.ts'

describe('no task tool', () => {
  it('has no tasks, and takes one without keeping it, so that an action can be confirmed all the same', async () => {
    const list = noTasks()
    const { signal } = new AbortController()
    expect(list.name).toBe('none')
    expect(await list.create('Walk', { signal })).toEqual({})
    expect(await list.list({ limit: 5, signal })).toEqual([])
  })
})
