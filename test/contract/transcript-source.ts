/**
 * What every source of JSON lines must do besides what every host must (`host.ts`): with bytes, lines and files of their own. Run by the
 * tests of each host with lines of its format.
 */
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ReadResult, SessionRecord, SessionRef, SourceCursor, TranscriptSource } from '../../src/hosts/transcript-source.ts'
import { unprivileged } from '../helpers/unprivileged.ts'

export interface SourceFixture {
  readonly name: string
  readonly open: (sessionDir: string) => Promise<TranscriptSource>
  /** Where the host would put the log of a session. */
  readonly path: (sessionDir: string, session: string) => string
  /** A host's session ids, all different. */
  readonly id: (number: number) => string
  /** The lines before the first message. */
  readonly opening: (session: string) => readonly string[]
  readonly user: (session: string, number: number, text: string) => string
  readonly assistant: (session: string, number: number, text: string) => string
  readonly call: (session: string, number: number, command: string) => string
  readonly result: (session: string, number: number, output: string) => string
  /** A large line that holds nothing for a miner. */
  readonly noise: (session: string, number: number, text: string) => string
  /** What the host never writes; without ids a line that stands twice was said twice. */
  readonly lacks?: { readonly results?: true; readonly ids?: true }
}

export const noReport = (): void => {}

export interface Read extends ReadResult {
  readonly records: readonly SessionRecord[]
  readonly texts: readonly string[]
}

/** Reads a session whole and keeps what was handed out. */
export async function readAll(source: TranscriptSource, session: SessionRef, since?: SourceCursor): Promise<Read> {
  const records: SessionRecord[] = []
  const result = await source.read(session, since, (record) => void records.push(record))
  return { ...result, records, texts: records.map(({ text }) => text) }
}

export function transcriptSourceContract(fixture: SourceFixture): void {
  describe(`${fixture.name}: the contract of a source of JSON lines`, () => {
    let root: string
    let directory: string
    let source: TranscriptSource
    const first = fixture.id(1)
    const lacks = fixture.lacks ?? {}

    beforeEach(async () => {
      root = fs.mkdtempSync(join(tmpdir(), 'memu-source-'))
      directory = join(root, 'log')
      fs.mkdirSync(directory)
      source = await fixture.open(directory)
    })
    afterEach(() => fs.rmSync(root, { recursive: true, force: true }))

    const pathOf = (session: string): string => fixture.path(directory, session)
    /** The folders that lead to a file of the log, from the one of the log on. */
    function foldersTo(path: string): string[] {
      const above = dirname(path)
      return above === directory ? [directory] : [...foldersTo(above), above]
    }
    function write(session: string, content: string | Uint8Array): string {
      const path = pathOf(session)
      fs.mkdirSync(dirname(path), { recursive: true })
      fs.writeFileSync(path, content)
      return path
    }
    const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')
    const sessionOf = (id: string): SessionRef => {
      const found = source.discover(noReport).find((session) => session.id === id)
      if (found === undefined) throw new Error(`session ${id} was not discovered`)
      return found
    }
    const conversation = (session: string, from: number, count: number): string[] =>
      Array.from({ length: count }, (_, i) =>
        (from + i) % 2 === 0
          ? fixture.user(session, from + i, `question number ${from + i}`)
          : fixture.assistant(session, from + i, `answer number ${from + i}`),
      )

    it('does not read again what lies before the cursor, whatever its size', async () => {
      const path = write(first, text([...fixture.opening(first), ...conversation(first, 1, 400)]))
      const before = await readAll(source, sessionOf(first))
      // Would be noticed by whoever reads it: the cursor is verified by its first and last kilobyte only.
      const fd = fs.openSync(path, 'r+')
      fs.writeSync(fd, Buffer.alloc(10_000, 'x\n'), 0, 10_000, 4096)
      fs.closeSync(fd)
      fs.appendFileSync(path, text(conversation(first, 401, 1)))
      expect(await readAll(source, sessionOf(first), before.cursor)).toMatchObject({
        texts: [conversationText(401)],
        bad: 0,
        restarted: false,
      })
    })

    it('leaves a last line that is still being written for the next read, and takes it once', async () => {
      const path = write(first, text([...fixture.opening(first), ...conversation(first, 1, 2)]))
      const line = Buffer.from(fixture.user(first, 3, 'naïve 🙂 question'))
      let cursor = (await readAll(source, sessionOf(first))).cursor
      for (const part of [line.subarray(0, 10), line.subarray(10, line.length - 20), line.subarray(line.length - 20)]) {
        fs.appendFileSync(path, part)
        const read = await readAll(source, sessionOf(first), cursor)
        expect(read).toMatchObject({ texts: [], bad: 0, restarted: false })
        cursor = read.cursor
      }
      fs.appendFileSync(path, '\n')
      expect((await readAll(source, sessionOf(first), cursor)).texts).toEqual(['naïve 🙂 question'])
    })

    it.each([
      [
        'rewritten in its first half',
        (lines: string[]) => lines.map((line, i) => (i < lines.length / 2 ? line.replace('number', 'No.') : line)),
      ],
      [
        'rewritten at its end, to the same length',
        (lines: string[]) => [...lines.slice(0, -1), (lines.at(-1) ?? '').replace('number', 'numbre')],
      ],
    ])('reads a session anew that was %s, with the same keys as before', async (_, change) => {
      const lines = [...fixture.opening(first), ...conversation(first, 1, 9)]
      write(first, text(lines))
      const before = await readAll(source, sessionOf(first))
      const changed = change(lines)
      write(first, text(changed))
      const after = await readAll(source, sessionOf(first), before.cursor)
      expect(after.restarted).toBe(true)
      const keys = new Set(before.records.map(({ key }) => key))
      const same = after.records.filter(({ text: said }) => before.texts.includes(said))
      expect(same.length).toBeGreaterThan(0)
      for (const { key } of same) expect(keys).toContain(key)
    })

    it('costs a bad line that line alone, counts it and says where it is', async () => {
      const good = [...fixture.opening(first), fixture.user(first, 1, 'before')]
      const offset = Buffer.byteLength(text(good))
      const bad = ['{"broken', 'not json at all', '[]', '"text"', '12', '{"a":}', '\u0001\u0002']
      write(first, text([...good, ...bad, fixture.assistant(first, 2, 'after')]))
      const read = await readAll(source, sessionOf(first))
      expect(read.texts).toEqual(['before', 'after'])
      expect(read.bad).toBe(bad.length)
      expect(read.firstBad).toMatchObject({ offset })
      expect(read.firstBad?.reason).not.toBe('')
    })

    it('costs a record that is nested thousands deep that record alone', async () => {
      const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
      const call = fixture.call(first, 3, 'DEEP').replace(/\\?"DEEP\\?"/, deep)
      write(first, text([...fixture.opening(first), fixture.user(first, 1, 'before'), call, fixture.user(first, 4, 'after')]))
      const read = await readAll(source, sessionOf(first))
      expect(read.texts).toEqual(['before', 'after'])
      expect(read.bad).toBe(1)
    })

    it('saves a record that is glued to a torn one, and two on one line', async () => {
      const [one, two, three, four] = [1, 2, 3, 4].map((n) => fixture.user(first, n, `said ${n}`)) as [string, string, string, string]
      const torn = fixture.assistant(first, 9, 'a torn answer with a "quote" and {braces}')
      const noise = fixture.noise(first, 8, 'noise '.repeat(50))
      for (let cut = 1; cut < torn.length; cut += 7) {
        write(
          first,
          text([...fixture.opening(first), torn.slice(0, cut) + one, two + three, noise.slice(0, Math.max(1, cut % noise.length)) + four]),
        )
        const read = await readAll(source, sessionOf(first))
        expect(read.texts, `cut at ${cut}`).toEqual(['said 1', 'said 2', 'said 3', 'said 4'])
      }
    })

    it('reads through NUL bytes, a byte-order mark, CRLF, blank lines and invalid UTF-8', async () => {
      const invalid = Buffer.from(fixture.user(first, 4, 'bad byte @ here'))
      invalid[invalid.indexOf('@')] = 0xff
      write(
        first,
        Buffer.concat([
          Buffer.from(`\uFEFF${fixture.opening(first).join('\r\n')}\r\n`),
          Buffer.from(`${fixture.user(first, 1, 'with CRLF')}\r\n\r\n \n`),
          Buffer.from(`\0\0\0\0${fixture.assistant(first, 2, 'after NULs')}\n\0\0\0\n`),
          invalid,
          Buffer.from('\n'),
        ]),
      )
      const read = await readAll(source, sessionOf(first))
      expect(read.texts).toEqual(['with CRLF', 'after NULs', 'bad byte \uFFFD here'])
      expect(read.bad).toBe(0)
    })

    it('keeps the words of a 20 MB line full of pictures, in bounded memory', async () => {
      const picture = Buffer.alloc(15_000_000, 7).toString('base64')
      const large = (lacks.results ? fixture.user : fixture.result)(first, 2, `the words before\n${picture}\nand after`)
      write(first, text([...fixture.opening(first), fixture.user(first, 1, 'before'), large, fixture.user(first, 3, 'behind')]))
      const read = await readAll(source, sessionOf(first))
      expect(read.texts).toHaveLength(3)
      expect(read.texts[1]).toMatch(/^the words before\n[^\n]{1,2000}…\n?and after$/)
      expect(read.bad).toBe(0)
    })

    it('passes over a noise line of any length and reads on behind it', async () => {
      write(
        first,
        text([
          ...fixture.opening(first),
          fixture.noise(first, 1, 'x '.repeat(6_000_000)),
          fixture.user(first, 2, 'behind'),
          fixture.noise(first, 3, 'y'),
        ]),
      )
      const read = await readAll(source, sessionOf(first))
      expect(read).toMatchObject({ texts: ['behind'], bad: 0 })
      expect(read.cursor.offset).toBe(fs.statSync(pathOf(first)).size)
    })

    it.skipIf(lacks.ids)('hands out once what the log holds twice', async () => {
      const lines = conversation(first, 1, 4)
      write(first, text([...fixture.opening(first), ...lines, ...lines]))
      expect((await readAll(source, sessionOf(first))).texts).toHaveLength(4)
    })

    it('takes no field for granted', async () => {
      const base = JSON.parse(fixture.user(first, 1, 'x')) as Record<string, unknown>
      const odd: unknown[] = [null, 1, 'text', true, [], {}, [null, 1, ['x'], {}], { type: 7, role: [], content: { a: 1 } }]
      const lines: string[] = []
      for (const key of Object.keys(base)) {
        for (const value of odd) lines.push(JSON.stringify({ ...base, [key]: value }))
        const inner = base[key]
        if (typeof inner !== 'object' || inner === null) continue
        for (const field of Object.keys(inner))
          for (const value of odd) lines.push(JSON.stringify({ ...base, [key]: { ...inner, [field]: value } }))
      }
      write(first, text([...fixture.opening(first), ...lines, fixture.user(first, 2, 'still here')]))
      const read = await readAll(source, sessionOf(first))
      expect(read.texts.at(-1)).toBe('still here')
      for (const record of read.records) expect(typeof record.text).toBe('string')
    })

    it('invents no time: an absurd one is left out', async () => {
      const line = fixture.user(first, 1, 'when?')
      for (const time of ['1970-01-01T00:00:00.000Z', '2199-01-01T00:00:00.000Z', 'yesterday', '']) {
        write(first, text([...fixture.opening(first), line.replaceAll(/"timestamp":(?:"[^"]*"|\d+)/g, `"timestamp":"${time}"`)]))
        const [record] = (await readAll(source, sessionOf(first))).records
        expect(record?.text).toBe('when?')
        expect(record).not.toHaveProperty('at')
      }
    })

    it.skipIf(process.platform === 'win32')('opens nothing but regular files of its own tree', async () => {
      const path = write(first, text([...fixture.opening(first), fixture.user(first, 1, 'real')]))
      const folder = dirname(path)
      for (const number of [2, 3, 4]) fs.mkdirSync(dirname(pathOf(fixture.id(number))), { recursive: true })
      execFileSync('mkfifo', [pathOf(fixture.id(2))])
      fs.mkdirSync(pathOf(fixture.id(3)))
      fs.symlinkSync(path, pathOf(fixture.id(4)))
      fs.symlinkSync(folder, join(folder, 'loop'))
      fs.symlinkSync(directory, join(directory, 'loop-of-all'))
      expect(source.discover(noReport).map(({ id }) => id)).toEqual([first])
      // Replaced between being listed and being opened.
      const session = sessionOf(first)
      fs.rmSync(path)
      execFileSync('mkfifo', [path])
      await expect(readAll(source, session)).rejects.toMatchObject({ code: 'session_unreadable' })
    })

    it.skipIf(process.platform === 'win32')('reports a directory that it may not read, and the rest comes through', async () => {
      const path = write(first, text([...fixture.opening(first), ...conversation(first, 1, 2)]))
      const closed = join(directory, 'closed')
      // At every depth of the log, under a name that says nothing and under one that may be a session's.
      const inner = foldersTo(path).flatMap((folder) => [join(folder, 'closed'), join(folder, basename(fixture.id(2)))])
      const all = [closed, ...inner.filter((folder) => folder !== closed)]
      for (const folder of all) fs.mkdirSync(folder, { mode: 0o000 })
      const problems: string[] = []
      await unprivileged(root, async () => {
        const found = source.discover(({ path }) => void problems.push(path))
        expect(found.map(({ id }) => id)).toEqual([first])
        expect((await readAll(source, found[0] as SessionRef)).texts).toEqual([1, 2].map(conversationText))
      })
      for (const folder of all) fs.chmodSync(folder, 0o700)
      expect(problems).toContain(closed)
      expect(new Set(problems).size).toBe(problems.length)
      for (const problem of problems) expect(all).toContain(problem)
    })

    it.skipIf(process.platform === 'win32')('looks into no folder of the log that is a link', () => {
      const path = write(first, text([...fixture.opening(first), ...conversation(first, 1, 2)]))
      const outside = join(root, 'elsewhere')
      for (const folder of foldersTo(path).slice(1)) {
        fs.renameSync(folder, outside)
        fs.symlinkSync(outside, folder)
        expect(source.discover(noReport), folder).toEqual([])
        fs.rmSync(folder)
        fs.renameSync(outside, folder)
      }
      expect(sessionOf(first).path).toBe(path)
    })

    it('loses no untouched line beside a mutated one, and never hangs', async () => {
      const kept = fixture.user(first, 1, 'untouched before')
      const victim = fixture.assistant(first, 2, 'the victim with "quotes", {braces} and \\ slashes')
      const after = fixture.user(first, 3, 'untouched after')
      const bytes = fc.array(fc.record({ at: fc.nat(victim.length), insert: fc.uint8Array({ maxLength: 6 }), remove: fc.nat(9) }), {
        minLength: 1,
        maxLength: 5,
      })
      await fc.assert(
        fc.asyncProperty(bytes, async (edits) => {
          let line = Buffer.from(victim)
          for (const { at, insert, remove } of edits) {
            const clean = insert.filter((byte) => byte !== 10)
            line = Buffer.concat([line.subarray(0, at), clean, line.subarray(at + remove)])
          }
          write(first, Buffer.concat([Buffer.from(text([...fixture.opening(first), kept])), line, Buffer.from(`\n${after}\n`)]))
          const { texts } = await readAll(source, sessionOf(first))
          expect(texts[0]).toBe('untouched before')
          expect(texts.at(-1)).toBe('untouched after')
        }),
        { numRuns: 200 },
      )
    })

    it('gives the same records whether it reads at once or as the log grows byte by byte', async () => {
      const lines = [
        ...fixture.opening(first),
        ...conversation(first, 1, 5),
        fixture.call(first, 6, 'ls'),
        fixture.result(first, 6, 'a\nb'),
      ]
      const whole = Buffer.from(text(lines))
      write(first, whole)
      const expected = (await readAll(source, sessionOf(first))).records
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 6 }), async (cuts) => {
          const records: SessionRecord[] = []
          let cursor: SourceCursor | undefined
          for (const cut of [...cuts.sort((a, b) => a - b), whole.length]) {
            write(first, whole.subarray(0, cut))
            const read = await readAll(source, sessionOf(first), cursor)
            expect(read.restarted).toBe(false)
            records.push(...read.records)
            cursor = read.cursor
          }
          expect(records).toEqual(expected)
        }),
        { numRuns: 50 },
      )
    })
  })

  const conversationText = (number: number): string => (number % 2 === 0 ? `question number ${number}` : `answer number ${number}`)
}
