import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { takenBack, type Undoing } from '../../src/hosts/rewound.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

type Step =
  | { readonly id: string }
  | { readonly undoFrom: string }
  | { readonly undoAfter: string | null }
  | { readonly all: readonly string[] }

const undoing: Undoing = {
  mark: '"undo',
  filter: { skip: () => false, starts: [] },
  isRecord: () => true,
  play(line, history) {
    const step = line as unknown as Step
    if ('id' in step) history.add(step.id)
    else if ('undoFrom' in step) history.takeBackFrom(step.undoFrom)
    else if ('undoAfter' in step) history.takeBackAfter(step.undoAfter ?? undefined)
    else if ('all' in step) history.replace(step.all)
  },
}

describe('what a log takes back', () => {
  const path = (): string => join(temporaryFolder(), 'log.jsonl')
  const write = (file: string, steps: readonly object[]): void =>
    writeFileSync(file, steps.map((step) => `${JSON.stringify(step)}\n`).join(''))
  const gone = (file: string, from = 0): string[] => [...takenBack(file, from, undoing)].sort()

  it('is a record and what follows it, or what follows a record alone', () => {
    const file = path()
    const said = ['a', 'b', 'c', 'd'].map((id) => ({ id }))
    write(file, [...said, { undoFrom: 'c' }])
    expect(gone(file)).toEqual(['c', 'd'])
    write(file, [...said, { undoAfter: 'c' }])
    expect(gone(file)).toEqual(['d'])
    write(file, [...said, { undoAfter: null }])
    expect(gone(file)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('is all that is read where it goes back to before that, and nothing of what lies before', () => {
    const file = path()
    write(file, [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { undoFrom: 'a' }, { id: 'd' }])
    expect(gone(file, '{"id":"a"}\n'.length)).toEqual(['b', 'c'])
  })

  it('is found wherever its line lies, and nothing is where there is none or no log', () => {
    const file = path()
    const edge = 1024 * 1024
    for (const before of [edge - 20, edge - 12, edge - 9, edge - 8, edge - 7, edge - 1, edge, 3 * edge - 30]) {
      const padding = { text: 'x'.repeat(before - '{"id":"a"}\n'.length - '{"text":""}\n'.length) }
      write(file, [{ id: 'a' }, padding, { undoFrom: 'a' }])
      expect(gone(file), String(before)).toEqual(['a'])
    }
    write(file, [{ id: 'a' }])
    expect(gone(file)).toEqual([])
    expect(gone(join(file, 'missing'))).toEqual([])
  })

  it('is what a program no longer shows that reads the log from its start', () => {
    const file = path()
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
    const said = { weight: 4, arbitrary: fc.record({ id }) }
    const undone = fc.record({ undoFrom: id })
    const replaced = fc.record({ all: fc.uniqueArray(id, { maxLength: 4 }) })
    const both = (check: (steps: readonly Step[]) => void, ...kinds: fc.Arbitrary<Step>[]): void =>
      fc.assert(fc.property(fc.array(fc.oneof(said, ...kinds), { maxLength: 16 }), check), { numRuns: 400 })

    both((steps) => {
      write(file, steps)
      const ids = new Set(steps.flatMap((step) => ('id' in step ? [step.id] : [])))
      const shown = play(steps)
      expect(gone(file)).toEqual([...ids].filter((one) => !shown.has(one)).sort())
    }, undone)
    // What a new list of messages leaves out is not shown either, and yet not taken back.
    both(
      (steps) => {
        write(file, steps)
        const taken = gone(file)
        for (const one of play(steps)) expect(taken).not.toContain(one)
      },
      undone,
      replaced,
    )
  })
})

/** The messages that are left, told as a program does that keeps them by their ids. */
function play(steps: readonly Step[]): ReadonlySet<string> {
  const shown = new Set<string>()
  for (const step of steps) {
    if ('id' in step) shown.add(step.id)
    if ('all' in step) {
      shown.clear()
      for (const id of step.all) shown.add(id)
    }
    if (!('undoFrom' in step)) continue
    const ids = [...shown]
    for (const id of ids.slice(Math.max(ids.indexOf(step.undoFrom), 0))) shown.delete(id)
  }
  return shown
}
