import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changedLines } from '../../src/cli/changed-lines.ts'

describe('what one version says that the other does not', () => {
  it('is whole lines, each as often as it stands there', () => {
    expect(changedLines('a\n\nb\nb', '  b\r\nc\na')).toEqual({ added: ['c'], removed: ['b'] })
  })

  it('turns the one into the other, whatever they hold', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', '- d', ''))
    fc.assert(
      fc.property(lines, lines, (old, fresh) => {
        const { added, removed } = changedLines(old.join('\n'), fresh.join('\n'))
        const left: string[] = [...old]
        for (const line of removed) left.splice(left.indexOf(line), 1)
        expect([...left, ...added].filter((line) => line !== '').sort()).toEqual(fresh.filter((line) => line !== '').sort())
      }),
    )
  })
})
