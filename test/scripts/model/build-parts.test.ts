import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKernel } from '../../../scripts/model/kernel.mjs'
import { eigen } from '../../../scripts/model/reduce.mjs'
import { encodeTable, hashWord } from '../../../scripts/model/table.mjs'
import { exp } from '../../../scripts/model/teacher.mjs'
import { unzip } from '../../../scripts/model/unzip.mjs'
import { vocabulary } from '../../../scripts/model/vocabulary.mjs'
import { createTokenizer } from '../../../scripts/model/word-pieces.mjs'
import * as program from '../../../src/embedding/local/hash.ts'
import { wordTable } from '../../../src/embedding/local/table.ts'
import { scanWords } from '../../../src/text/scan.ts'

test('the build script and the program hash words alike', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(1000), (word, seed) => {
      expect(hashWord(word, seed)).toBe(program.hashWord(word, seed))
    }),
  )
})

test('the program reads from a table what was written into it', () => {
  const entries = ['docker', 'c++', 'node.js'].map((word, i) => ({ word, vector: Float64Array.of(0.5, -1, i / 10, 0) }))
  const path = join(mkdtempSync(join(tmpdir(), 'memu-table-')), 'words.bin')
  writeFileSync(path, encodeTable(entries))
  wordTable(path).read((find) => {
    for (const { word, vector } of entries) {
      const { scale, values } = find(word)!
      for (const [i, value] of values.entries()) expect(Math.abs(value * scale - vector[i]!)).toBeLessThan(0.005)
    }
    expect(find('podman')).toBeUndefined()
  })
})

test('the kernel multiplies as a plain loop does', async () => {
  const [m, n, k] = [8, 6, 12]
  const { memory, linear } = await createKernel(4096)
  const heap = new Float32Array(memory.buffer)
  for (let i = 0; i < (m + n) * k; i++) heap[i] = ((i * 37) % 19) - 9
  linear(0, 4 * m * k, 4 * (m + n) * k, m, n, k)
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0
      for (let p = 0; p < k; p++) sum += heap[i * k + p]! * heap[(m + j) * k + p]!
      expect(heap[(m + n) * k + i * n + j]).toBe(sum)
    }
  }
})

test('eigenvectors come largest first, of length one, and only change their length under the matrix', () => {
  const rows = [
    [4, 1, 0.5],
    [1, 3, -0.2],
    [0.5, -0.2, 1],
  ]
  const { values, vectors } = eigen(rows.map((row) => Float64Array.from(row)))
  expect(values[0]!).toBeGreaterThan(values[1]!)
  expect(values[1]!).toBeGreaterThan(values[2]!)
  for (const [place, vector] of vectors.entries()) {
    for (const [i, row] of rows.entries()) {
      expect(row.reduce((sum, value, j) => sum + value * vector[j]!, 0)).toBeCloseTo(values[place]! * vector[i]!, 10)
    }
  }
})

test('the exponential follows that of the platform, closest where it is used', () => {
  for (const x of [-8, -5.5, -0.01, 0, 0.3, 8]) expect(exp(x) / Math.exp(x)).toBeCloseTo(1, 10)
  for (const x of [-79, 40]) expect(exp(x) / Math.exp(x)).toBeCloseTo(1, 4)
  expect(exp(-200)).toBe(0)
})

test('words become the longest pieces that the vocabulary knows', () => {
  const tokenize = createTokenizer({ '[CLS]': 1, '[SEP]': 2, '[UNK]': 3, dock: 4, '##er': 5, docker: 6, '##s': 7, '+': 8, c: 9 })
  expect(tokenize('Docker dockers docks')).toEqual([1, 6, 6, 7, 4, 7, 2])
  expect(tokenize('c++ zig')).toEqual([1, 9, 8, 8, 3, 2])
})

test('every word of the table is one that the word scanner can give', () => {
  const words = vocabulary(
    ['[CLS]', '##ing', 'house', 'été'],
    [
      ['the', 500],
      ['house', 20],
    ],
  ).map(({ word }) => word)
  expect(new Set(words).size).toBe(words.length)
  expect(words).toEqual(expect.arrayContaining(['house', 'the', 'kubernetes', 'c++', 'node.js']))
  for (const word of words) {
    const given: string[] = []
    scanWords(word, (part) => given.push(part))
    expect(given).toContain(word)
  }
})

test('frequent words weigh less and glossed words are read twice', () => {
  const entries = new Map(
    vocabulary(
      ['zebra'],
      [
        ['people', 9_000],
        ['zebra', 1_000],
      ],
    ).map((entry) => [entry.word, entry]),
  )
  expect(entries.get('people')!.weight).toBeLessThan(entries.get('zebra')!.weight)
  expect(entries.get('zebra')!.texts).toEqual(['zebra'])
  expect(entries.get('kubectl')!.texts).toEqual(['kubectl', 'kubectl kubernetes command line'])
})

test('the developers’ words are listed once each, in lower case', () => {
  const lines = readFileSync(new URL('../../../scripts/model/developer-words.txt', import.meta.url), 'utf8').split('\n')
  const words = lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split(':')[0]!)
  expect(words.filter((word, i) => words.indexOf(word) !== i || word !== word.trim().toLowerCase())).toEqual([])
})

test('a packed file is found in an archive and unpacked', () => {
  const content = Buffer.from('some text, some text, some text')
  expect(unzip(zip('folder/a.txt', content), (name) => name.endsWith('/a.txt'))).toEqual(content)
  expect(() => unzip(zip('b.txt', content), (name) => name === 'a.txt')).toThrow(/does not hold/)
  expect(() => unzip(Buffer.alloc(100), () => true)).toThrow(/not a zip/)
})

/** The smallest archive: one packed file, its record in the directory, the end mark. */
function zip(name: string, content: Buffer): Buffer {
  const data = deflateRawSync(content)
  const local = Buffer.alloc(30 + name.length)
  local.writeUInt32LE(0x04034b50)
  local.writeUInt16LE(name.length, 26)
  local.write(name, 30)
  const entry = Buffer.alloc(46 + name.length)
  entry.writeUInt32LE(0x02014b50)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(data.length, 20)
  entry.writeUInt16LE(name.length, 28)
  entry.write(name, 46)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt32LE(local.length + data.length, 16)
  return Buffer.concat([local, data, entry, end])
}
