import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indexTerms, queryTerms } from '../../src/text/terms.ts'

test('English words are stemmed, in order, repeats kept and stop words left out', () => {
  expect(indexTerms('The databases were configured, and the database is running')).toEqual(['databas', 'configur', 'databas', 'run'])
})

test('a compound is kept whole and in parts', () => {
  expect(indexTerms('ERR_X9Q_42')).toEqual(['err_x9q_42', 'err', 'x9q', '42'])
  expect(indexTerms('--dry-run')).toEqual(['dry-run', 'dry', 'run'])
  expect(indexTerms('foo.bar.ts')).toEqual(['foo.bar.ts', 'foo', 'bar', 'ts'])
  expect(indexTerms('parseHTTPHeader')).toEqual(['parsehttphead', 'pars', 'http', 'header'])
  expect(indexTerms('/etc/nginx.conf')).toContain('nginx.conf')
})

test('a camel-cased name and the same name in lower case share a term', () => {
  expect(indexTerms('useState')).toContain(indexTerms('usestate')[0])
})

test('plural acronyms and brand names stay one word', () => {
  expect(indexTerms('URLs IDs TypeScript GitHub')).toEqual(['url', 'id', 'typescript', 'github'])
})

test('signs that belong to the name of a language are kept', () => {
  expect(indexTerms('C++, C# and F# but not x + y #12')).toEqual(['c++', 'c#', 'f#', 'x', 'y', '12'])
})

test('an apostrophe cuts off what is not a word', () => {
  expect(indexTerms("Reviewer's tests don’t pass; they'll fail, O'Brien")).toEqual(['review', 'test', 'pass', 'fail', 'o', 'brien'])
})

test('Chinese, Japanese, Korean and Thai become pairs of characters, a lone character stays', () => {
  expect(indexTerms('数据库')).toEqual(['数据', '据库'])
  expect(indexTerms('テスト')).toEqual(['テス', 'スト'])
  expect(indexTerms('猫')).toEqual(['猫'])
  expect(indexTerms('데이터 A')).toEqual(['데이', '이터'])
  expect(indexTerms('使用TypeScript编写')).toEqual(['使用', 'typescript', '编写'])
})

test('width, case and diacritics do not matter', () => {
  expect(indexTerms('Ｃａｆé CAFÉ café')).toEqual(['cafe', 'cafe', 'cafe'])
  expect(indexTerms('Straße İstanbul ΣΟΦΟΣ Привет')).toEqual(['strass', 'istanbul', 'σοφοσ', 'привет'])
})

test('an emoji is a term, punctuation is not', () => {
  expect(indexTerms('ship it 🚀!!! "(NEAR*')).toEqual(['ship', '🚀', 'near'])
})

test('a term is at most 64 characters and never half a character', () => {
  for (const term of indexTerms(`${'x'.repeat(500)} ${'𝒳𐐀'.repeat(200)} ${'a.'.repeat(300)}b ${'ß'.repeat(90)} \u0301\u0302`)) {
    expect(term.length).toBeLessThanOrEqual(64)
    expect(term).not.toMatch(/\p{Cs}/u)
  }
})

test('a query asks for each term once, identifiers and repeated words first, and at most as many as allowed', () => {
  expect(queryTerms('why does ERR_X9Q_42 fail in the fail path')[0]).toBe('err_x9q_42')
  expect(queryTerms('what is it about')).toEqual([])
  const pasted = Array.from({ length: 5000 }, (_, i) => `word${i} deadlock`).join(' ')
  const terms = queryTerms(pasted)
  expect(terms).toHaveLength(64)
  expect(terms[0]).toBe('deadlock')
  expect(queryTerms(pasted, 5)).toHaveLength(5)
})

test('text made to be slow is cut in one pass', () => {
  const million = (pattern: string) => indexTerms(pattern.repeat(1_000_000 / pattern.length)).length
  expect(['x_', 'x.', "x'", 'x_-_', 'xY', 'y', '_', 'e\u0301'].map(million).every((count) => count <= 1_000_000)).toBe(true)
  expect(million('数')).toBe(999_999)
})

test('any text gives well-formed terms, and a query asks only for terms that the index of the same text holds', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const terms = indexTerms(text)
      expect(terms.every((term) => term.length > 0 && term.length <= 64 && !/\s/.test(term))).toBe(true)
      expect(new Set(queryTerms(text, Number.POSITIVE_INFINITY))).toEqual(new Set(terms))
    }),
  )
})
