import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatValue, parseDotenv, parseLines } from '../../src/config/dotenv.ts'

const key = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,12}$/)
/** Text as people and programs write it, with everything that has a meaning in the syntax. */
const text = fc.string({ unit: fc.constantFrom(...'KEY=value \t#\'"\\\n\r$`;~é猫🐈export'.split('')), maxLength: 200 })

describe('the syntax of config.env', () => {
  it.each([
    ['KEY=value', 'value'],
    ['KEY=', ''],
    ['KEY = spaced value  ', 'spaced value'],
    ['  export KEY=exported', 'exported'],
    ['KEY=value # a comment', 'value'],
    ['KEY= # a comment alone', ''],
    ['KEY=https://host/#fragment', 'https://host/#fragment'],
    ['KEY=#starts-with-it', '#starts-with-it'],
    ["KEY='as $it \\n stands'", 'as $it \\n stands'],
    ["KEY='quoted' # a comment", 'quoted'],
    ['KEY="two\\nlines"', 'two\nlines'],
    ['KEY="a \\"word\\" and a \\\\"', 'a "word" and a \\'],
    ['KEY="C:\\Users"', 'C:\\Users'],
    ["KEY=it's", "it's"],
    ["KEY='never closed", "'never closed"],
    ['KEY="a" b', '"a" b'],
    ['KEY=a=b=c', 'a=b=c'],
  ])('reads %s', (line, value) => {
    expect(parseDotenv(line).get('KEY')).toBe(value)
  })

  it('lets the last of two equal keys win', () => {
    expect(parseDotenv('A=1\nB=2\nA=3\n')).toEqual(
      new Map([
        ['A', '3'],
        ['B', '2'],
      ]),
    )
  })

  it('lets an unclosed quote cost its own line alone', () => {
    expect(parseDotenv('A="open\nB=2\nC="closed"').get('B')).toBe('2')
  })

  it('calls a line unreadable that is neither blank, comment nor assignment', () => {
    const lines = parseLines('# comment\n\njust words\n1KEY=x\nKEY=x\n')
    expect(lines.filter((line) => line.unreadable).map((line) => line.text)).toEqual(['just words\n', '1KEY=x\n'])
  })

  it('keeps every character of any text in its lines', () => {
    fc.assert(
      fc.property(text, (any) => {
        expect(parseLines(any).map((line) => line.text).join('')).toBe(any) // biome-ignore format: one chain
      }),
    )
  })

  it('reads back every value that it writes', () => {
    fc.assert(
      fc.property(key, fc.oneof(text, fc.string({ unit: 'binary' })), (name, value) => {
        expect(parseDotenv(`${name}=${formatValue(value)}`)).toEqual(new Map([[name, value]]))
        expect(parseDotenv(`export ${name} = ${formatValue(value)} # after it\r\nOTHER=1`).get(name)).toBe(value)
      }),
    )
  })
})
