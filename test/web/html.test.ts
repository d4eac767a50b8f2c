import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { html } from '../../src/keel/server/pages/html.ts'

/** Reads back what a browser would make of the escapes. */
function unescaped(text: string): string {
  const characters: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' }
  return text.replace(/&(?:lt|gt|quot|#39|amp);/g, (written) => characters[written]!)
}

describe('The template of the pages', () => {
  it('makes text of whatever is put into it: no markup comes out, and the text can be read back', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', 'a', ';', '#', '/', ' ') }),
    )
    fc.assert(
      fc.property(hostile, (text) => {
        const { html: written } = html`${text}`
        expect(written).not.toMatch(/[<>"']/)
        expect(unescaped(written)).toBe(text)
      }),
    )
  })

  it('keeps an attribute closed, whichever quotes the text holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', "'", ' ', 'o', '=', '>') }), (text) => {
        const [, inside, after] = /^<a b="([^"]*)"(.*)$/s.exec(html`<a b="${text}">`.html)!
        expect(unescaped(inside!)).toBe(text)
        expect(after).toBe('>')
      }),
    )
  })

  it('does not escape what came out of a template, however deep in lists', () => {
    expect(html`<ul>${[html`<li>${'<'}</li>`, [html`<li>${1}</li>`]]}</ul>`.html).toBe('<ul><li>&lt;</li><li>1</li></ul>')
  })

  it('writes nothing for what is not there, and 0 for 0', () => {
    expect(html`[${undefined}${false}${[]}${0}]`.html).toBe('[0]')
  })
})
