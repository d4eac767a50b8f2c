import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { segmentsOf, split } from '../../src/memory/segments.ts'

function memory(content: string, most = 1000): string[] {
  return segmentsOf({ track: 'memory', name: 'n', description: 'd', content }, most)
}

describe('the segments of a memory file', () => {
  test('are its lines without blanks and headings, stripped, each once, in order', () => {
    expect(memory('# Title\n\n  - one  \n## Part\n- two\n- one\n\t\n#no heading\n')).toEqual(['- one', '- two', '#no heading'])
  })

  test('do not depend on the line endings', () => {
    expect(memory('a\r\n# h\r\nb\rc\n')).toEqual(['a', 'b', 'c'])
  })

  test('hold the lines of code, comments that look like headings included', () => {
    expect(memory('```sh\n# install first\nnpm ci\n```\n# Heading\n~~~~\n~~~\n# still code\n~~~~\n# Heading')).toEqual([
      '```sh',
      '# install first',
      'npm ci',
      '```',
      '~~~~',
      '~~~',
      '# still code',
    ])
  })

  test('are none where the file holds only headings and blanks', () => {
    expect(memory('# a\n\n###### b\n#\n')).toEqual([])
  })

  test('of another track than skill are made the same way', () => {
    expect(segmentsOf({ track: 'journal', name: 'n', description: 'd', content: 'a\nb' }, 100)).toEqual(['a', 'b'])
  })
})

test('a skill has one segment, of its name and description', () => {
  expect(segmentsOf({ track: 'skill', name: 'n', description: 'd', content: 'a\nb' }, 100)).toEqual(['name: n\ndescription: d'])
})

describe('a line longer than the window', () => {
  test('is cut behind a sentence where there is one, else at a blank', () => {
    expect(split('The first sentence. The second one is here', 25)).toEqual(['The first sentence.', 'The second one is here'])
    expect(split('many words without any sentence end', 16)).toEqual(['many words', 'without any', 'sentence end'])
    expect(split('第一句话在这里。第二句话', 10)).toEqual(['第一句话在这里。', '第二句话'])
  })

  test('loses nothing but blanks at the cuts, and no piece is too long', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.integer({ min: 2, max: 60 }), (text, most) => {
        const pieces = split(text, most)
        for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(most)
        expect(pieces.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
      }),
    )
  })

  test('is never cut inside a character', () => {
    expect(split('😀'.repeat(5), 3).join('')).toBe('😀'.repeat(5))
    expect(split('😀'.repeat(5), 3)).toEqual(['😀', '😀', '😀', '😀', '😀'])
  })
})
