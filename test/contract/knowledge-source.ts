/** What every source of text about the user does, wherever it comes from. */
import { describe, expect, it } from 'vitest'
import type { KnowledgeSource } from '../../src/keel/knowledge/source.ts'

export interface KnowledgeSourceFixture {
  readonly name: string
  /** `empty`: there is nothing to know. `fails`: what it asks fails each time. `hangs`: it never answers. */
  open(behaviour: 'full' | 'empty' | 'fails' | 'hangs', log: (line: string) => void): Promise<KnowledgeSource>
}

export function knowledgeSourceContract({ name, open }: KnowledgeSourceFixture): void {
  const opened = async (behaviour: Parameters<typeof open>[0]) => {
    const lines: string[] = []
    const source = await open(behaviour, (line) => lines.push(line))
    return { lines, text: (signal = new AbortController().signal) => source.text(signal) }
  }

  describe(`the contract of a source of knowledge: ${name}`, () => {
    it('gives text that has no heading of a brief, and no line for the log', async () => {
      const { text, lines } = await opened('full')
      const found = await text()
      expect(found).toMatch(/\w/)
      expect(found).not.toMatch(/^\s{0,3}#{1,2}(?!#)/m)
      expect(lines).toEqual([])
    })

    it('gives nothing where there is nothing, without a word', async () => {
      const { text, lines } = await opened('empty')
      expect([await text(), lines]).toEqual(['', []])
    })

    it('gives nothing where it fails, and says why once, on one line', async () => {
      const { text, lines } = await opened('fails')
      expect([await text(), await text()]).toEqual(['', ''])
      expect(lines).toEqual([expect.stringMatching(/^\P{Cc}+$/u)])
    })

    it('gives nothing as soon as nobody waits, and takes that for no failure', { timeout: 20_000 }, async () => {
      const { text, lines } = await opened('hangs')
      const abort = new AbortController()
      const asked = text(abort.signal)
      abort.abort(new Error('enough'))
      expect(await asked).toBe('')
      expect(await text(abort.signal)).toBe('')
      expect(lines).toEqual([])
    })
  })
}
