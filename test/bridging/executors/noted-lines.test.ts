import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NOTED_HEADING, type NotedLine, notedLines, withNotedLines } from '../../../src/bridging/executors/builtin/noted-lines.ts'

const words = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 ,'()-]{0,30}[a-z]\.$/)
const date = fc.constantFrom('2026-03-04', '2025-12-31')
const noted: fc.Arbitrary<NotedLine> = fc.record({ text: words, date, before: words }, { requiredKeys: ['text'] })
/** What others write: headings, lists, prose, and lines close to our own form. */
const foreign = fc.oneof(words, fc.constantFrom('', '# Title', '## Later', '- a line', '- a line (yesterday)', NOTED_HEADING, '---'))

describe('the lines that belong to the rules', () => {
  it('are read back as they were written, whatever else the file holds', () => {
    fc.assert(
      fc.property(fc.array(foreign), fc.array(noted), (lines, own) => {
        expect(notedLines(withNotedLines(lines.join('\n'), own))).toEqual(own)
      }),
    )
  })

  it('can be taken out again, and every line of others stays in its order', () => {
    fc.assert(
      fc.property(fc.array(foreign), fc.array(noted, { minLength: 1 }), (lines, own) => {
        const kept = (content: string) => content.split('\n').filter((line) => line.trim() !== '' && line !== NOTED_HEADING)
        const others = kept(withNotedLines(lines.join('\n'), []))
        expect(kept(withNotedLines(withNotedLines(lines.join('\n'), own), []))).toEqual(others)
        expect(others).toEqual(lines.filter((line) => line.trim() !== '' && line !== NOTED_HEADING))
      }),
    )
  })

  it('stand below their heading once, also where the heading was left behind alone', () => {
    const text = withNotedLines(`# Mine\n\n${NOTED_HEADING}`, [{ text: 'Use pnpm.', date: '2026-03-04' }])
    expect(text).toBe(`# Mine\n\n${NOTED_HEADING}\n\n- Use pnpm. (2026-03-04)`)
  })
})
