import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { promptOf, spokenOf } from '../../src/hosts/cursor/human-text.ts'
import { timeOf } from '../../src/hosts/cursor/timestamp.ts'
import { repeats } from '../../src/hosts/repeats.ts'

const wrapper = fc.constantFrom('timestamp', 'user_info', 'attached_files', 'system_reminder', 'rules', 'something_new')
const block = fc
  .tuple(wrapper, fc.constantFrom('', 'OS: linux', 'a < b', '<b>x</b>', '\n- one\n- two\n'))
  .map(([tag, text]) => `<${tag}>${text}</${tag}>`)
const typed = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.trim() !== '')

describe('Cursor: what a person typed', () => {
  it('is what stands in the query, whatever it is made of and whatever stands before and behind it', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 4 }), typed, fc.array(block, { maxLength: 2 }), (before, text, behind) => {
        const prompt = [...before, `<user_query>\n${text}\n</user_query>`, ...behind].join('\n')
        expect(promptOf(prompt).text).toBe(text.trim())
      }),
    )
  })

  it.each([
    ['plain words', 'plain words'],
    ['<user_info>OS</user_info>\nplain words', 'plain words'],
    ['plain words\n<attached_files>\na.ts\n</attached_files>', 'plain words'],
    ['what does <user_query>x</user_query> mean?', 'what does <user_query>x</user_query> mean?'],
    ['<user_query>\nwhat does </user_query> mean?\n</user_query>', 'what does </user_query> mean?'],
    ['<user_query>\none\n</user_query>\n<user_query>\ntwo\n</user_query>', 'one\ntwo'],
    ['<user_query> is a tag that I wonder about', '<user_query> is a tag that I wonder about'],
    ['<timestamp> is a tag that I wonder about', '<timestamp> is a tag that I wonder about'],
    ['<div>my own</div>\nmarkup', '<div>my own</div>\nmarkup'],
    ['<rules>a</rules>', ''],
    ['<user_query></user_query>', ''],
    ['<user_query>\na text that was cut…', 'a text that was cut…'],
  ])('of %j is %j', (prompt, text) => expect(promptOf(prompt).text).toBe(text))

  it('is never longer than the prompt, and costs no more than a look at it', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('<', '>', '/', 'user_query', 'rules', ' ', '\n', 'x', '…'), maxLength: 60 }),
        (text) => promptOf(text).text.length <= text.length,
      ),
    )
    expect(promptOf('<rules>'.repeat(200_000)).text).toBe('<rules>'.repeat(200_000))
    expect(promptOf(`${'x</rules>'.repeat(100_000)}`).text).toHaveLength(900_000)
  })
})

describe('Cursor: what the agent said', () => {
  it.each([
    ['[REDACTED]\n\nThe rate is read too early.', 'The rate is read too early.'],
    ['First.\n\n[REDACTED]\n\nThen.', 'First.\n\n\n\nThen.'],
    ['[REDACTED]', ''],
    ['The log says [REDACTED] there.', 'The log says [REDACTED] there.'],
    ['  words ', 'words'],
  ])('of %j is %j', (text, spoken) => expect(spokenOf(text)).toBe(spoken))
})

describe('Cursor: the time in a prompt', () => {
  const now = Date.UTC(2026, 9, 1)
  const at = (text: string, changed = now) => timeOf(text, changed, now)

  it.each([
    ['Tuesday, Sep 1, 2026, 8:00 AM (UTC+0)', '2026-09-01T08:00:00.000Z'],
    ['Tuesday, Sep 1, 2026, 8:00 AM (UTC-7)', '2026-09-01T15:00:00.000Z'],
    ['Tuesday, September 1, 2026, 8:00 PM (UTC+5:30)', '2026-09-01T14:30:00.000Z'],
    ['Tuesday, Sep 1, 2026, 12:05 AM (UTC)', '2026-09-01T00:05:00.000Z'],
    ['Sep 1, 2026, 12:05\u202fPM GMT+0200', '2026-09-01T10:05:00.000Z'],
    ['Sep 1, 2026 at 20:05:07 (UTC)', '2026-09-01T20:05:07.000Z'],
  ])('of %j is %s', (text, time) => expect(at(text)).toBe(time))

  it('is read in this machine’s zone where it names none', () => {
    expect(at('Tuesday, Sep 1, 2026, 8:00 AM')).toBe(new Date(2026, 8, 1, 8).toISOString())
  })

  it('is left out of the last hour, where a minute does not tell what came first', () => {
    expect(at('Wednesday, Sep 30, 2026, 11:30 PM (UTC)')).toBeUndefined()
    expect(at('Wednesday, Sep 30, 2026, 11:30:00 PM (UTC)')).toBe('2026-09-30T23:30:00.000Z')
    expect(at('Wednesday, Sep 30, 2026, 11:00 PM (UTC)')).toBe('2026-09-30T23:00:00.000Z')
  })

  it('is left out where it lies behind the last change of the log, or is none', () => {
    const time = 'Tuesday, Sep 1, 2026, 8:00 AM (UTC)'
    expect(at(time, Date.UTC(2026, 8, 1, 7))).toBeUndefined()
    expect(at(time, Date.UTC(2026, 8, 1, 7, 59, 30))).toBe('2026-09-01T08:00:00.000Z')
    for (const text of [
      '',
      'yesterday',
      '8:00 AM',
      'Tuesday, Foo 1, 2026, 8:00 AM',
      'Sep 1, 1999, 8:00 AM (UTC)',
      'Sep 1, 2099, 8:00 AM (UTC)',
    ]) {
      expect(at(text), text).toBeUndefined()
    }
  })
})

describe('Cursor: keys of records without ids', () => {
  it('are different for every record that is handed out, and the same from whatever point reading goes on', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('yes', 'no', 'go on', '1', '__proto__')), fc.nat(), (said, cut) => {
        const whole = repeats(undefined)
        const keys = said.map((text) => whole.key('user', text))
        expect(new Set(keys).size).toBe(said.length)
        const at = said.length === 0 ? 0 : cut % said.length
        const first = repeats(undefined)
        for (const text of said.slice(0, at)) first.key('user', text)
        const second = repeats(JSON.parse(JSON.stringify(first.stored())))
        expect(said.slice(at).map((text) => second.key('user', text))).toEqual(keys.slice(at))
      }),
    )
  })

  it('take anything for what was remembered', () => {
    for (const odd of [null, 7, 'x', [], [1, 'a'], { a: 'b', _c: 1.5, __proto__: 1 }])
      expect(repeats(odd).key('x')).toBe(repeats(undefined).key('x'))
  })
})
