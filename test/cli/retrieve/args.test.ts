import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRetrieveArgs } from '../../../src/cli/retrieve/args.ts'

describe('the arguments of retrieve', () => {
  it.each([
    [['how', 'do', 'we deploy'], { query: 'how do we deploy', format: 'json' }],
    [['-'], { query: '-', format: 'json' }],
    [['--limit', '3', 'q', '--track=skill'], { query: 'q', format: 'json', limit: 3, track: 'skill' }],
    [['--format', 'text', 'q'], { query: 'q', format: 'text' }],
    [['--format=text', '--json', 'q'], { query: 'q', format: 'json' }],
    [['- a list item'], { query: '- a list item', format: 'json' }],
    [['--dry-run is refused by npm'], { query: '--dry-run is refused by npm', format: 'json' }],
    [['-5'], { query: '-5', format: 'json' }],
    [['--', '--limit'], { query: '--limit', format: 'json' }],
    [['--limit', '1', '--', '-x', 'y'], { query: '-x y', format: 'json', limit: 1 }],
  ])('reads %j', (args, expected) => {
    expect(parseRetrieveArgs(args)).toEqual(expected)
  })

  it.each([[['--help']], [['-h', 'q']], [['q', '--help']]])('asks for help with %j', (args) => {
    expect(parseRetrieveArgs(args)).toBeUndefined()
  })

  it.each([
    [[], 'query is missing'],
    [['--limit'], '--limit needs a value'],
    [['--limit', '0', 'q'], '--limit is "0"'],
    [['--limit', '2.5', 'q'], '--limit is "2.5"'],
    [['--limit', '101', 'q'], '--limit is "101"'],
    [['--format', 'xml', 'q'], '--format is "xml"'],
    [['--track=', 'q'], '--track needs a value'],
    [['--verbose', 'q'], 'Unknown option --verbose'],
    [['-x', 'q'], 'Unknown option -x'],
  ])('refuses %j', (args, message) => {
    expect(() => parseRetrieveArgs(args)).toThrow(
      expect.objectContaining({ code: 'usage', exit: 2, message: expect.stringContaining(message) }),
    )
  })

  it('takes any text with a space in it, or after --, for the query', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(parseRetrieveArgs(['--', text])).toEqual({ query: text, format: 'json' })
        if (!text.includes('=')) expect(parseRetrieveArgs([`${text} `])).toEqual({ query: `${text} `, format: 'json' })
      }),
    )
  })
})
