import { closeSync, mkdirSync, openSync, readFileSync, rmdirSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { HALF_BYTES, openSpareFile, type SpareFile } from '../../../src/keel/memory/spare-file.ts'
import type { StoredEvent } from '../../../src/keel/memory/stored-events.ts'
import { event } from '../../contract/keel-memory.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'

const place = () => join(temporaryFolder(), 'keel', 'events.held')
function open(file: string): SpareFile {
  const spare = openSpareFile(file, (error) => (error as NodeJS.ErrnoException).code ?? String(error))
  onTestFinished(() => spare.close())
  return spare
}
const held = (n: number, text = ''): StoredEvent => ({ id: n, event: event('a', n, { n, text }), sent: 'waiting' })
const numbers = ({ found }: SpareFile) => found.map(({ event: { data } }) => data.n)

it('gives the next run what was written last, in its order, whatever texts are in it', () => {
  const texts = fc.array(fc.array(fc.string({ unit: 'binary', maxLength: 50 }), { maxLength: 8 }), { maxLength: 4 })
  fc.assert(
    fc.property(texts, (writes) => {
      const file = place()
      const first = open(file)
      for (const write of writes) expect(first.write(write.map((text, n) => held(n, text)))).toBe(write.length)
      expect(open(file).found.map(({ event: { data } }) => data.text)).toEqual(writes.at(-1) ?? [])
    }),
    { numRuns: 30 },
  )
})

it('keeps what is known of each event in ActivityWatch', () => {
  const file = place()
  open(file).write([{ ...held(1), sent: 'copied' }, held(2)])
  expect(open(file).found.map(({ sent }) => sent)).toEqual(['copied', 'waiting'])
})

it('needs no room of the disk after its first moment, and is for its user alone', () => {
  const file = place()
  const spare = open(file)
  const [{ size, blocks, mode }, again] = [statSync(file), () => statSync(file)]
  expect([size, mode & 0o777]).toEqual([2 * HALF_BYTES, 0o600])
  if (process.platform !== 'win32') expect(blocks * 512).toBeGreaterThanOrEqual(size)
  for (let n = 0; n < 5; n++) spare.write([...Array(200).keys()].map((each) => held(each, 'x'.repeat(300))))
  spare.write([])
  expect([again().size, again().blocks]).toEqual([size, blocks])
})

it('holds the newest of more than it can hold, and says how many', () => {
  const file = place()
  const count = open(file).write([...Array(200).keys()].map((n) => held(n, 'ü'.repeat(500))))
  expect(count).toBeGreaterThan(40)
  expect(count).toBeLessThan(64)
  expect(numbers(open(file))).toEqual([...Array(200).keys()].slice(-count))
})

it('gives what was written before where a write was cut off, and nothing of a file that holds something else', () => {
  const file = place()
  const spare = open(file)
  spare.write([held(1)])
  spare.write([held(1), held(2)])
  for (const [half, expected] of [
    [0, [1]],
    [1, []],
  ] as const) {
    const fd = openSync(file, 'r+')
    writeSync(fd, 'x', half * HALF_BYTES + 100)
    closeSync(fd)
    expect(numbers(open(file))).toEqual(expected)
  }
  expect(open(file).isEmpty).toBe(false)
})

it('leaves no text in the file once it is emptied, of no write before', () => {
  const file = place()
  const spare = open(file)
  expect(spare.isEmpty).toBe(true)
  for (const n of [1, 2, 3]) spare.write([held(n, `secret ${n}`)])
  expect([spare.isEmpty, readFileSync(file, 'latin1').includes('secret')]).toEqual([false, true])
  expect(spare.write([])).toBe(0)
  expect([spare.isEmpty, readFileSync(file, 'latin1').includes('secret')]).toEqual([true, false])
  expect(open(file)).toMatchObject({ found: [], isEmpty: true })
})

it('is made again where it was taken away, and says why where it cannot be', () => {
  const file = place()
  mkdirSync(file, { recursive: true })
  const spare = open(file)
  expect(spare.failure).toBe('EISDIR')
  expect([spare.write([held(1)]), spare.failure]).toEqual([0, 'EISDIR'])
  rmdirSync(file)
  expect([spare.write([held(1)]), spare.failure]).toEqual([1, undefined])
  rmSync(file)
  expect(spare.write([held(2)])).toBe(1)
  expect(numbers(open(file))).toEqual([2])
})
