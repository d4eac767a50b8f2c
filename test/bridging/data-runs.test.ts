import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withoutData } from '../../src/bridging/data-runs.ts'

/** Bytes that are the same in every run. */
function bytes(length: number): Buffer {
  return Buffer.concat(Array.from({ length: Math.ceil(length / 32) }, (_, n) => createHash('sha256').update(`${n}`).digest())).subarray(
    0,
    length,
  )
}

const wrapped = (base64: string, length: number, lineBreak: string): string =>
  base64.match(new RegExp(`.{1,${length}}`, 'g'))?.join(lineBreak) ?? ''

describe('data in text', () => {
  const base64 = bytes(9000).toString('base64')

  it.each([
    ['base64', base64, '[base64, 12 kB left out]'],
    ['base64 for addresses', bytes(9000).toString('base64url'), '[base64, 12 kB left out]'],
    ['base64 in lines', wrapped(base64, 76, '\n'), '[base64, 12 kB left out]'],
    ['base64 in lines of Windows', wrapped(base64, 64, '\r\n'), '[base64, 12 kB left out]'],
    ['base64 in lines within JSON', wrapped(base64, 76, '\\n'), '[base64, 12 kB left out]'],
    ['hexadecimal digits', bytes(6000).toString('hex'), '[hex, 12 kB left out]'],
    ['an image', `data:image/png;base64,${base64}`, '[image]'],
    ['a small image', `data:image/svg+xml;charset=utf-8;base64,${bytes(90).toString('base64')}`, '[image]'],
    ['another file', `data:application/pdf;base64,${base64}`, 'data:application/pdf;base64,[base64, 12 kB left out]'],
  ])('is left out: %s', (_, data, note) => {
    expect(withoutData(`before "${data}" after`).text).toBe(`before "${note}" after`)
    expect(withoutData(`${data}\n\nsecond: ${data}`).text).toBe(`${note}\n\nsecond: ${note}`)
  })

  it('is counted', () => {
    const image = `data:image/png;base64,${base64}`
    expect(withoutData(`${image} ${base64}`)).toMatchObject({ images: 1, left: image.length + base64.length })
    expect(withoutData('nothing')).toEqual({ text: 'nothing', images: 0, left: 0 })
  })

  it.each([
    ['a commit hash', createHash('sha1').update('x').digest('hex')],
    ['a digest', createHash('sha512').update('x').digest('hex')],
    ['an integrity value', `sha512-${createHash('sha512').update('x').digest('base64')}`],
    ['a rule', '-'.repeat(4000)],
    ['a table rule', `|${'='.repeat(2000)}|`],
    ['one letter', 'a1'.repeat(2000)],
    ['a sequence', 'ACGT1'.repeat(1000)],
    ['a long path', `/${'some/folder1/'.repeat(100)}`],
    ['a word of letters', 'lorem'.repeat(400)],
    ['long lines of words', `${'word2 '.repeat(400)}\n`.repeat(20)],
  ])('is not: %s', (_, text) => {
    expect(withoutData(text).text).toBe(text)
  })

  it('is not in the text files of this repository', () => {
    for (const name of ['README.md', 'package-lock.json', 'docs/architecture.md', 'src/text/porter.ts', 'templates/memory-job.txt']) {
      const text = readFileSync(join(import.meta.dirname, '../..', name), 'utf8')
      expect(withoutData(text).text).toBe(text)
    }
  })

  it('keeps its neighbours whole, wherever it stands', () => {
    const prose = fc.array(fc.stringMatching(/^[a-z,.]{1,12}$/)).map((words) => words.join(' '))
    fc.assert(
      fc.property(prose, prose, fc.integer({ min: 500, max: 5000 }), (before, after, size) => {
        const { text } = withoutData(`${before} ${bytes(size).toString('base64')} ${after}`)
        expect(text.startsWith(`${before} `) && text.endsWith(` ${after}`)).toBe(true)
        expect(text).toMatch(/\[base64, \d+ kB left out\]/)
      }),
    )
  })

  it('returns text of any kind without an error', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (text) => typeof withoutData(text).text === 'string'))
    expect(withoutData(randomBytes(100_000).toString('latin1')).text.length).toBeGreaterThan(0)
  })
})
