import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSameAction, isSameWording } from '../../../src/keel/ai/same-action.ts'

describe('two actions', () => {
  it.each([
    ['Take a walk', 'go for a WALK.', true],
    ['Walk for 10 minutes', 'Go walking for 20 min', true],
    ['Water the plants', 'Water your plant', true],
    ["Call mum about Sunday's lunch", 'Call mum about Sundays lunch', true],
    ['Read chapter 3', 'Read chapter 4', false],
    ['Water the plants', 'Water the garden', false],
    ['Call mum', 'Call dad', false],
    ['Go out', 'Go in', false],
    ['Go out', '«go OUT»!', true],
    ['a', 'A!', true],
    ['10 minutes', '20 minutes', false],
    ['!!!', '???', false],
    ['公園を散歩する', '公園を散歩する。', true],
    ['公園を散歩する', '母に電話する', false],
    ['去公园散步', '去公园散散步', true],
    ['Позвони маме', 'позвони МАМЕ!', true],
  ])('%j and %j are the same: %s', (a, b, same) => {
    expect(isSameAction(a, b)).toBe(same)
  })

  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.lorem({ maxCount: 6 }))

  it('are the same for one and for the other, and each is the same as itself', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(isSameAction(a, b)).toBe(isSameAction(b, a))
        expect(isSameAction(a, a)).toBe(true)
      }),
    )
  })

  it('stay the same in capitals and with marks around them', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 6 }), (words) => {
        expect(isSameAction(words, `«${words.toUpperCase()}»!`)).toBe(true)
      }),
    )
  })
})

describe('the wording of a task', () => {
  it.each([
    ['Call mum', 'call  MUM!', true],
    ['Call mum', '«Call mum»', true],
    ['Sort #Home @phone', 'Sort # Home @ phone', true],
    ['-leading dash – twice', '–leading dash - twice', true],
    ['due:2026-01-02 and h:1', 'due: 2026-01-02 and h: 1', true],
    ['Say "hello", don’t wait', "say hello don't wait", true],
    ['back\\slash', 'back＼slash', true],
    ['!!!', '!!!', true],
    ['Learn C', 'Learn C++', false],
    ['Learn C', 'Learn C#', false],
    ['Read page 1.5', 'Read page 15', false],
    ['Read page 1.5', 'Read page 1 5', false],
    ['Ask Ann & Bob', 'Ask Ann Bob', false],
    ['Lift 5kg', 'Lift -5kg', false],
    ['Stretch 🧘', 'Stretch 🏃', false],
    ['Call mum', 'Call mum for ten minutes', false],
    ['!!!', '???', false],
  ])('%j and %j are one task: %s', (a, b, same) => {
    expect(isSameWording(a, b)).toBe(same)
    expect(isSameWording(b, a)).toBe(same)
  })
})
