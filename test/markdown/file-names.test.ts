import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileNameFor, isMemoryFileName, nameFromFile } from '../../src/markdown/file-names.ts'

/** What a case-insensitive, normalising file system takes for one name. */
function folded(name: string): string {
  return name.normalize('NFKC').toUpperCase().normalize('NFKD')
}

const hostile = [
  '../../x',
  '..',
  '.',
  '',
  '/',
  'a/b',
  'a\\b',
  'CON',
  'con',
  'aux.md',
  'nul.txt',
  'LPT1',
  'x.',
  'x ',
  ' x',
  '-rf',
  '.hidden',
  'a\0b',
  '😀',
  '👨‍👩‍👧',
  'x'.repeat(300),
  '构'.repeat(300),
  'a:b',
  'a?b*',
  '~',
  '$(id)',
  'a\nb',
  'é',
  'e\u0301',
  'ﬁle',
  'K',
  '\ud800',
  'COM¹',
]

describe('file names', () => {
  it.each(['build-commands', 'preferences', 'v1.2_notes', '构建命令', '빌드', 'a'])('leave the ordinary name %s readable', (name) => {
    expect(fileNameFor(name)).toBe(`${name}.md`)
    expect(nameFromFile(fileNameFor(name))).toBe(name)
  })

  it.each([
    ['Build Commands', /^build-commands~[0-9a-f]{10}\.md$/],
    ['../../x', /^x~[0-9a-f]{10}\.md$/],
    ['CON', /^_con~[0-9a-f]{10}\.md$/],
    ['con.txt', /^_con\.txt~[0-9a-f]{10}\.md$/],
    ['Über uns', /^über-uns~[0-9a-f]{10}\.md$/],
    ['', /^unnamed~[0-9a-f]{10}\.md$/],
  ])('keep what a person recognises of %j', (name, pattern) => {
    expect(fileNameFor(name)).toMatch(pattern)
  })

  const anyName = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme', maxLength: 400 }), fc.constantFrom(...hostile))

  it('are one safe path segment of at most 120 bytes, whatever the name', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const file = fileNameFor(name)
        expect(Buffer.byteLength(file)).toBeLessThanOrEqual(120)
        expect(file).toMatch(/^[\p{L}\p{N}_][\p{L}\p{N}\p{M}._~-]*\.md$/u)
        expect(file).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)\./i)
        expect(file).not.toMatch(/[. ]\.md$/)
        expect(isMemoryFileName(file)).toBe(true)
        expect(fileNameFor(name)).toBe(file)
      }),
    )
  })

  it('never collide, also where the file system ignores case and composition', () => {
    const variants = (name: string): string[] => [
      name,
      name.toUpperCase(),
      name.toLowerCase(),
      name.normalize('NFD'),
      name.normalize('NFC'),
      `${name}.`,
      `${name} `,
      `${name}/`,
    ]
    fc.assert(
      fc.property(anyName, anyName, (one, other) => {
        const names = [...new Set([...variants(one), ...variants(other), fileNameFor(one).slice(0, -3)])]
        const files = names.map((name) => folded(fileNameFor(name)))
        expect(new Set(files).size).toBe(names.length)
      }),
    )
  })
})
