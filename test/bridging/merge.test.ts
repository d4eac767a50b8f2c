import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeLines, mergeText } from '../../src/bridging/merge.ts'

describe('three-way merge of lines', () => {
  it.each([
    ['both add', ['a'], ['a', 'mine'], ['a', 'theirs'], ['a', 'theirs', 'mine']],
    ['both add the same', ['a'], ['a', 'x'], ['x', 'a'], ['x', 'a']],
    ['one removes', ['a', 'b', 'c'], ['a', 'c'], ['a', 'b', 'c', 'd'], ['a', 'c', 'd']],
    ['both change one line', ['a', 'b', 'c'], ['a', 'mine', 'c'], ['a', 'theirs', 'c'], ['a', 'theirs', 'mine', 'c']],
    ['one removes what the other changes', ['a', 'b'], ['a'], ['a', 'b2'], ['a', 'b2']],
    ['neighbouring changes', ['a', 'b'], ['a2', 'b'], ['a', 'b2'], ['a2', 'b2']],
    ['no common base', [], ['a', 'b'], ['b', 'c'], ['b', 'c', 'a']],
    [
      'fences and blank lines are structure',
      ['t'],
      ['t', '', '```', 'x', '```'],
      ['t', '', '```', 'y', '```'],
      ['t', '', '```', 'y', 'x', '```'],
    ],
  ])('%s', (_, base, mine, theirs, merged) => {
    expect(mergeLines(base, mine, theirs)).toEqual(merged)
  })

  it('takes an empty text for no line at all', () => {
    expect(mergeText('', 'a', '').text).toBe('a')
    expect(mergeText('a', '', 'a\nb').text).toBe('b')
  })

  /** Few different lines, so that they meet often. */
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', '', '```'), { maxLength: 12 })
  const words = fc.array(fc.constantFrom<string>('a', 'b', 'c', 'd', 'e'), { maxLength: 12 })

  it('loses no line that either side added or kept, and brings none that both removed', () => {
    fc.assert(
      fc.property(words, words, words, (base, mine, theirs) => {
        const merged = new Set(mergeLines(base, mine, theirs))
        for (const line of mine) if (!base.includes(line) || theirs.includes(line)) expect(merged).toContain(line)
        for (const line of theirs) if (!base.includes(line) || mine.includes(line)) expect(merged).toContain(line)
        for (const line of merged) expect(mine.includes(line) || theirs.includes(line)).toBe(true)
      }),
    )
  })

  it('doubles no line that both sides added', () => {
    const distinct = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'))
    fc.assert(
      fc.property(distinct, distinct, (mine, theirs) => {
        const merged = mergeLines([], mine, theirs)
        expect(new Set(merged).size).toBe(merged.length)
      }),
    )
  })

  it('is the changed side where the other is unchanged, and either where both are the same', () => {
    fc.assert(
      fc.property(lines, lines, (base, side) => {
        expect(mergeLines(base, side, base)).toEqual(side)
        expect(mergeLines(base, base, side)).toEqual(side)
        expect(mergeLines(base, side, side)).toEqual(side)
      }),
    )
  })

  it('changes nothing when it is repeated over its own result', () => {
    fc.assert(
      fc.property(words, words, words, (base, mine, theirs) => {
        const merged = mergeLines(base, mine, theirs)
        expect(mergeLines(theirs, merged, theirs)).toEqual(merged)
        expect(mergeLines(mine, merged, mine)).toEqual(merged)
        expect(mergeLines(base, merged, merged)).toEqual(merged)
      }),
    )
  })

  it('keeps the blank line below a heading whose only item one side took away', () => {
    const heading = '## Noted'
    expect(mergeText(`${heading}\n\n- a`, heading, `${heading}\n\n- a\n- b`).text).toBe(`${heading}\n\n- b`)
    expect(mergeText(`${heading}\n\n- a`, `${heading}\n\n- a\n- b`, heading).text).toBe(`${heading}\n\n- b`)
  })

  it('leaves a shell comment in a block of code as it is', () => {
    const [base, mine, theirs] = ['```\n# build\n\nmake\n```', '```\n# build\n```', '```\n# build\n\nmake\nmake test\n```']
    expect(mergeText(base, mine, theirs).text).toBe('```\n# build\nmake test\n```')
  })

  it('sets headings apart by blank lines wherever both sides do', () => {
    const section = fc.tuple(
      fc.constantFrom('## A', '### B', '## C'),
      fc.array(fc.constantFrom('- 1', '- 2', '- 3', '- 4'), { maxLength: 4 }),
    )
    const text = fc
      .array(section, { maxLength: 4 })
      .map((sections) =>
        sections.map(([heading, items]) => [heading, ...(items.length === 0 ? [] : ['', ...items])].join('\n')).join('\n\n'),
      )
    fc.assert(
      fc.property(text, text, text, (base, mine, theirs) => {
        const { text: merged, conflicts } = mergeText(base, mine, theirs)
        const all = merged.split('\n')
        all.forEach((line, at) => {
          if (!line.startsWith('#')) return
          expect([undefined, '']).toContain(all[at - 1])
          expect([undefined, '']).toContain(all[at + 1])
        })
        for (const { line, mine, theirs } of conflicts) expect([...mine, ...theirs]).toContain(all[line - 1])
        expect(mergeText(base, merged, merged).text).toBe(merged)
      }),
      { numRuns: 500 },
    )
  })

  it('merges ten thousand lines that were all rewritten by keeping both', () => {
    const many = (prefix: string): string[] => Array.from({ length: 10_000 }, (_, n) => `${prefix} ${n}`)
    expect(mergeLines(many('base'), many('mine'), many('theirs'))).toHaveLength(20_000)
  })
})

describe('a conflict', () => {
  const conflicts = (base: string, mine: string, theirs: string) => mergeText(base, mine, theirs).conflicts

  it('of lines that stand somewhere before already is told with that place', () => {
    const [base, mine, theirs] = ['### B\n\n- 1\n\n## C\n\n- 1', '## A\n\n### B\n\n- 1', '### B\n\n### B\n\n## A\n\n- 1']
    const { text, conflicts: found } = mergeText(base, mine, theirs)
    expect(found).not.toEqual([])
    for (const { line, mine, theirs } of found) expect([...mine, ...theirs]).toContain(text.split('\n')[line - 1])
  })

  it('is one line that both sides put another one in place of, told with its place', () => {
    expect(mergeText('a\nport 80\nz', 'a\nport 81\nz', 'new\na\nport 82\nz')).toEqual({
      text: 'new\na\nport 82\nport 81\nz',
      conflicts: [{ line: 3, mine: ['port 81'], theirs: ['port 82'] }],
    })
  })

  it.each([
    ['both added lines in one place', 'a', 'a\nmine', 'a\ntheirs'],
    ['both wrote the same', 'a\nb', 'a\nc', 'a\nc\nd'],
    ['one removed what the other changed', 'a\nb', 'a', 'a\nc'],
    ['they changed different lines', 'a\nb\nc', 'x\nb\nc', 'a\nb\ny'],
  ])('is not where %s', (_, base, mine, theirs) => {
    expect(conflicts(base, mine, theirs)).toEqual([])
  })

  it('lies within the merged text, at a line of one of the sides', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 6 }).map((all) => all.join('\n'))
    fc.assert(
      fc.property(lines, lines, lines, (base, mine, theirs) => {
        const merged = mergeText(base, mine, theirs)
        const all = merged.text.split('\n')
        for (const conflict of merged.conflicts) {
          expect([...conflict.mine, ...conflict.theirs]).toContain(all[conflict.line - 1])
          for (const line of [...conflict.mine, ...conflict.theirs]) expect(all).toContain(line)
        }
      }),
    )
  })
})
