import { describe, expect, it } from 'vitest'
import { withoutListMark } from '../../src/markdown/list-mark.ts'

describe('a line without the mark of its list', () => {
  it.each([
    ['- a fact', 'a fact'],
    ['  * a fact', 'a fact'],
    ['12. a fact', 'a fact'],
    ['-5 is the floor', '-5 is the floor'],
    ['3.14 is pi', '3.14 is pi'],
    ['2026. a year', '2026. a year'],
    ['--flag does it', '--flag does it'],
  ])('of %j is %j', (line, words) => {
    expect(withoutListMark(line)).toBe(words)
  })
})
