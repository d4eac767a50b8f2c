import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatMemoryText, type MemoryText, parseMemoryText } from '../../src/markdown/front-matter.ts'

function parsed(text: string): MemoryText {
  const result = parseMemoryText(text)
  if (!result.ok) throw new Error(result.reason)
  return result.file
}

describe('front matter', () => {
  it('gives name, description and what is below', () => {
    expect(parsed('---\nname: build\ndescription: How it is built\n---\n\n- make ship\n')).toEqual({
      name: 'build',
      description: 'How it is built',
      content: '- make ship',
      extra: [],
    })
  })

  it.each([
    ['a colon in the value', 'description: shop: how it is built', 'shop: how it is built'],
    ['a number sign', 'description: fixes #12 for good', 'fixes #12 for good'],
    ['double quotes', 'description: "say \\"hi\\""', 'say "hi"'],
    ['single quotes', "description: 'it''s'", "it's"],
    ['quotes over lines', 'description: "one\n  two"', 'one two'],
    ['indented lines', 'description: one\n  two\n  three', 'one two three'],
    ['a folded block', 'description: >-\n  one\n  two', 'one two'],
    ['a literal block with a blank line', 'description: |\n  one\n\n  two', 'one two'],
    ['quotes around a part', 'description: "make ship" releases', '"make ship" releases'],
    ['a capital', 'Description: one', 'one'],
    ['a repeated key', 'description: old\ndescription: new', 'new'],
  ])('is read with %s', (_, line, description) => {
    expect(parsed(`---\nname: x\n${line}\n---\nbody`)).toMatchObject({ name: 'x', description, content: 'body' })
  })

  it('is not needed', () => {
    expect(parsed('# Title\n\n- a\n')).toEqual({ content: '# Title\n\n- a', extra: [] })
    expect(parsed('---\n\n# A rule above\n')).toEqual({ content: '---\n\n# A rule above', extra: [] })
    expect(parsed('')).toEqual({ content: '', extra: [] })
  })

  it('may come with a byte order mark, CRLF and blank lines above', () => {
    expect(parsed('\uFEFF\r\n---\r\nname: x\r\ndescription: d\r\n---\r\n\r\n- a\r\n- b\r\n')).toEqual({
      name: 'x',
      description: 'd',
      content: '- a\n- b',
      extra: [],
    })
  })

  it('leaves rules in the body alone', () => {
    expect(parsed('---\nname: x\n---\na\n\n---\n\nb\n---\n').content).toBe('a\n\n---\n\nb\n---')
  })

  it('keeps other keys as they stand', () => {
    const text = '---\nname: x\ntags:\n  - a\n  - b\norigin: hand\ndescription: d\n---\nbody'
    expect(parsed(text).extra).toEqual(['tags:', '  - a', '  - b', 'origin: hand'])
    expect(parsed(formatMemoryText({ name: 'x', description: 'd', ...parsed(text) })).extra).toEqual(parsed(text).extra)
  })

  it('counts once when a second one was pasted above the first', () => {
    const text = '---\nname: x\ndescription: new\n---\n---\nname: x\ndescription: old\n---\nbody'
    expect(parsed(text)).toEqual({ name: 'x', description: 'new', content: 'body', extra: [] })
  })

  it.each(['---\nname: x\ndescription: d\n\n- a\n- b\n', '---\nname: x\nsome words without a key\n---\nbody'])(
    'is reported where it is broken: %j',
    (text) => {
      expect(parseMemoryText(text)).toMatchObject({ ok: false, reason: expect.stringMatching(/front matter/) })
    },
  )

  const line = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1 }),
    fc.constantFrom('true', '12', '- x', '"', "'a'", 'a: b', '#', '|', '> x', '---', 'name: y', '{}', '* a', 'a\\nb'),
  )
  const oneLine = line.map((text) => text.replace(/\s+/g, ' ').trim())
  const content = fc.array(line, { maxLength: 8 }).map((lines) =>
    lines
      .join('\n')
      .replace(/\r\n?/g, '\n')
      .replace(/^(?:[^\S\n]*\n)+/, '')
      .trimEnd(),
  )

  it('reads back whatever it wrote', () => {
    fc.assert(
      fc.property(
        oneLine.filter((name) => name !== ''),
        oneLine,
        content.filter((text) => !text.startsWith('---')),
        (name, description, body) => {
          expect(parsed(formatMemoryText({ name, description, content: body }))).toEqual({ name, description, content: body, extra: [] })
        },
      ),
    )
  })

  it('never loses a line of the body and never throws, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.array(line).map((lines) => lines.join('\n')),
        (text) => {
          const result = parseMemoryText(`---\nname: x\n---\n\nfirst\n${text}`)
          expect(result).toMatchObject({ ok: true, file: { name: 'x', content: `first\n${text}`.replace(/\r\n?/g, '\n').trimEnd() } })
          parseMemoryText(text)
        },
      ),
    )
  })
})
