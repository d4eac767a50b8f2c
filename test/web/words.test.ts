import { describe, expect, it } from 'vitest'
import { memoryWords } from '../../src/keel/server/pages/memory-words.ts'
import { choiceWords, proposerName } from '../../src/keel/server/pages/names.ts'
import { alertWords, FIELDS, problemWords } from '../../src/keel/server/pages/notice.ts'
import { clockTime, dayHeading, dayWords, noonOf } from '../../src/keel/server/pages/time.ts'
import { SETTINGS } from '../../src/keel/settings/settings.ts'
import { appState } from './states.ts'

describe('The state of the memory', () => {
  const { memory } = appState()

  it('is one short sentence while all is well', () => {
    expect(memoryWords(memory)).toEqual({ short: 'Remembered in ActivityWatch', more: '', why: '', trouble: '' })
  })

  it('is one calm sentence also where ActivityWatch is not there, and says why only where that is asked for', () => {
    const away = { ...memory, where: 'embedded', reason: 'connect ECONNREFUSED' } as const
    expect(memoryWords({ ...away, waiting: 1 })).toEqual({
      short: 'Remembered on this machine',
      more: 'ActivityWatch does not answer at http://localhost:5600. One entry will go there as soon as it does.',
      why: 'connect ECONNREFUSED.',
      trouble: '',
    })
    expect(memoryWords(away).more).toBe('ActivityWatch does not answer at http://localhost:5600.')
    const { reason: _, ...unknown } = away
    expect(memoryWords(unknown)).toMatchObject({ more: '', why: '' })
  })

  it('complains of nothing where ActivityWatch is not to be used', () => {
    expect(memoryWords({ ...memory, where: 'embedded', isLocal: true }).more).toBe('')
    expect(memoryWords({ ...memory, where: 'none', isLocal: true })).toEqual({
      short: 'Nothing is remembered',
      more: '',
      why: '',
      trouble: '',
    })
  })

  it('says what could not be written yet, why, and that it is tried again', () => {
    const full = { ...memory, where: 'embedded', failure: 'the disk is full' } as const
    expect(memoryWords({ ...full, unsaved: 3 })).toMatchObject({
      short: 'Cannot be written just now',
      trouble: '3 entries could not be written to the file yet: the disk is full.',
    })
    expect(memoryWords({ ...full, unsaved: 0 }).trouble).toBe('What happens now cannot be written to its file: the disk is full.')
    expect(memoryWords({ ...full, where: 'none', unsaved: 2 }).short).toBe('Cannot be written just now')
  })

  it('says how much would be lost with keeld', () => {
    const full = { ...memory, where: 'embedded', failure: 'the disk is full', unsaved: 3 } as const
    const begin = '3 entries could not be written to the file yet: the disk is full.'
    expect(memoryWords({ ...full, atRisk: 3 }).trouble).toBe(`${begin} Kept until keeld ends.`)
    expect(memoryWords({ ...full, atRisk: 2 }).trouble).toBe(`${begin} 2 entries of these are kept until keeld ends.`)
  })

  it('has nothing to worry about where ActivityWatch takes what this machine cannot keep', () => {
    expect(memoryWords({ ...memory, unsaved: 0, failure: 'the disk is full' })).toMatchObject({
      short: 'Remembered in ActivityWatch',
      trouble: '',
    })
  })
})

describe('What went wrong', () => {
  it('names a field of the page as it is called there, and a variable that is none by its name', () => {
    const notice = { message: 'KEEL_AI_URL is no address.', hint: 'Give one, or set KEEL_AI_PROGRAM.' }
    expect(problemWords(notice)).toBe('“Address of the model server” is no address. Give one, or set KEEL_AI_PROGRAM.')
    expect(problemWords({ message: 'Set KEEL_KNOWLEDGE_FILE in the environment.' })).toBe('Set KEEL_KNOWLEDGE_FILE in the environment.')
    expect(alertWords(notice)).toMatchObject({ error: '“Address of the model server” is no address.', full: '' })
  })

  it('knows each setting that has a field, by the label that it has there', () => {
    const open = SETTINGS.filter(({ guarded }) => guarded === undefined)
    expect(FIELDS).toEqual(Object.fromEntries(open.map(({ env, label }) => [env, label])))
  })

  it('is cut before what no line holds, and all of it is kept behind', () => {
    const path = `(PATH=${Array.from({ length: 12 }, (_, index) => `/home/user/tools-${index}/bin`).join(':')}).`
    const message = `claude was not found ${path}`
    expect(alertWords({ message })).toEqual({ error: 'claude was not found …', full: message, hint: '' })
    expect(alertWords({ message: path }).error).toBe(`${path.slice(0, 100)}…`)
    const long = 'and so on '.repeat(60).trim()
    const { error, full } = alertWords({ message: long })
    expect(error.length).toBeLessThan(250)
    expect(error).toMatch(/^and so on .* …$/)
    expect(full).toBe(long)
  })
})

describe('Names', () => {
  it('has one for every choice of every setting', () => {
    for (const { key, choices = [] } of SETTINGS) {
      for (const choice of choices) expect(choiceWords(key, choice).label, `${key} ${choice}`).toMatch(/^([A-Z]|todo\.txt)/)
    }
  })

  it('says of each proposer but the rules where what is sent goes, before it is chosen', () => {
    const { choices = [] } = SETTINGS.find(({ key }) => key === 'ai_backend')!
    for (const choice of choices) {
      expect(choiceWords('ai_backend', choice).means).toMatch(choice === 'builtin' ? /^Nothing leaves/ : /^What Keel sends goes to/)
    }
  })

  it('leaves alone what it does not know', () => {
    for (const word of ['mine', 'constructor', '__proto__']) {
      expect(proposerName(word)).toBe(word)
      expect(choiceWords(word, word)).toEqual({ label: word })
      expect(choiceWords('tasks', word)).toEqual({ label: word })
    }
  })
})

describe('Times', () => {
  const now = new Date(2026, 5, 5, 14, 5)

  it('are a clock today, and have a day, and a year, only where that is another one', () => {
    expect(clockTime(new Date(2026, 5, 5, 9, 7), now)).toBe('09:07')
    expect(clockTime(new Date(2026, 5, 4, 23, 59), now)).toBe('4 June, 23:59')
    expect(clockTime(new Date(2025, 11, 31, 0, 0), now)).toBe('31 December 2025, 00:00')
  })

  it('are a day with its name, where it is not one of the last two', () => {
    expect(dayHeading(new Date(2026, 5, 5, 0, 1), now)).toBe('Today')
    expect(dayHeading(new Date(2026, 5, 4, 23, 59), now)).toBe('Yesterday')
    expect(dayHeading(new Date(2026, 5, 3, 12), now)).toBe('Wednesday, 3 June')
    expect(dayHeading(new Date(2025, 11, 31, 12), new Date(2026, 0, 1, 0, 5))).toBe('Yesterday')
  })

  it('stay on their day', () => {
    for (const day of ['2026-03-29', '2026-10-25', '2024-02-29', '2026-12-31'])
      expect(dayWords(noonOf(day), new Date(Number(day.slice(0, 4)), 0))).toMatch(new RegExp(`^${Number(day.slice(8))} `))
  })
})
