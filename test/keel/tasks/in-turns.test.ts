import { describe, expect, it } from 'vitest'
import { inTurns, linesOf } from '../../../src/keel/tasks/in-turns.ts'
import { parseTodoTxt } from '../../../src/keel/tasks/todo-txt-line.ts'

/** How often everything else had its turn while `work` went on. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const turn = (): void => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await work
  isOver = true
  return turns
}

const spin = (): void => {
  const until = performance.now() + 11
  while (performance.now() < until);
}

describe('a long list', () => {
  it('lets everything else have its turn while it is gone through', async () => {
    expect(await turnsDuring(inTurns([1, 2, 3, 4], spin, 10))).toBeGreaterThanOrEqual(3)
    expect(await turnsDuring(parseTodoTxt('x done\n'.repeat(600_000), '2026-11-30'))).toBeGreaterThan(2)
  })

  it('is gone through in order, until there are enough', async () => {
    const seen: number[] = []
    const even = (number: number) => {
      seen.push(number)
      return number % 2 === 0 ? number : undefined
    }
    expect(await inTurns([1, 2, 3, 4, 5, 6], even, 2)).toEqual([2, 4])
    expect(seen).toEqual([1, 2, 3, 4])
  })

  it('of lines has those that hold anything', () => {
    expect([...linesOf('\none\n\n two\r\n')]).toEqual(['one', ' two\r'])
  })
})
