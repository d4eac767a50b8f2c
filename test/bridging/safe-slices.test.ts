/** What reaches a model of a session, and what of it never does: the gate end to end, through `prepare` and `commit`. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Redaction } from '../../src/bridging/open-gates.ts'
import { prepare } from '../../src/bridging/prepare.ts'
import { saveSelfSessions } from '../../src/bridging/self-sessions.ts'
import { ownNonce } from '../../src/guard/nonce.ts'
import { runMark, wrap } from '../../src/guard/tag.ts'
import type { Emit, TranscriptSource } from '../../src/hosts/transcript-source.ts'
import { type FakeLine, fakeSource, withEmit } from './fake-source.ts'
import { memoryFile, type World, world } from './world.ts'

/** Rules of our own: what is configured, and `pw-…`. */
const redaction: Redaction = {
  version: 7,
  create: (known) => (text) => {
    const found = new Map<string, number>()
    const remove = (rule: string) => () => {
      found.set(rule, (found.get(rule) ?? 0) + 1)
      return `[removed: ${rule}]`
    }
    let clean = text.replace(/pw-[a-z0-9]{8}/g, remove('test-password'))
    for (const { name, value } of known) clean = clean.replaceAll(value, remove(name))
    return { text: clean, found }
  },
}
const SECRET = 'pw-abcd1234'

let w: World
beforeEach(async () => {
  w = await world({ deps: { redaction }, system: { env: { MEMU_API_KEY: 'key-of-this-machine' } } })
})
afterEach(() => w.end())

/** Every file below a folder that holds a text. */
function holding(folder: string, text: string): string[] {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => fs.statSync(join(folder, name)).isFile() && fs.readFileSync(join(folder, name)).includes(text))
}

describe('slices', () => {
  it('hold no secret, neither in records nor in the header, and the report says how many were removed by which rule', async () => {
    w.session('a', [
      { text: `use ${SECRET} and key-of-this-machine`, title: `about ${SECRET}` },
      { tool: 'Bash', call: 'c', text: `curl -u ${SECRET}` },
      { tool: 'Bash', call: 'c', result: true, text: 'ok' },
    ])
    const report = await w.prepare()
    expect(w.said('1_full')).toEqual(['use [removed: test-password] and [removed: memu-api-key]', 'curl -u [removed: test-password]', 'ok'])
    expect(w.slice('1')[0]).toMatchObject({ title: 'about [removed: test-password]', redaction: 7 })
    expect(report.sessions[0]?.title).toBe('about [removed: test-password]')
    expect(report.redacted).toEqual({ 'memu-api-key': 1, 'test-password': 3 })
    expect(holding(w.tree.sessions, SECRET)).toEqual([])
  })

  it('hold none in the name of a tool, the id of a call or the name of a session, and calls still go with their results', async () => {
    w.session(`about-${SECRET}`, [
      'hello',
      { tool: `run-${SECRET}`, call: `id-${SECRET}`, text: 'first' },
      { tool: 'Bash', call: 'plain', text: 'second' },
      { tool: `run-${SECRET}`, call: `id-${SECRET}`, result: true, text: 'ok' },
    ])
    const report = await w.prepare()
    const [header, , first, second, result] = w.slice('1_full')
    expect(header).toMatchObject({ session: 'about-[removed: test-password]' })
    expect(report.sessions[0]).toMatchObject({ id: 'about-[removed: test-password]' })
    expect(first).toMatchObject({ tool: 'run-[removed: test-password]', call: expect.stringMatching(/^[0-9a-f]{24}$/) })
    expect(result).toMatchObject({ call: first?.call })
    expect(second).toMatchObject({ tool: 'Bash', call: 'plain' })
    expect(holding(w.tree.sessions, SECRET)).toEqual([])
    expect(report.redacted).toEqual({ 'test-password': expect.any(Number) })
  })

  it('keep to their size, whatever tools and calls are named', async () => {
    const long = 'x y '.repeat(5_000)
    const calls = Array.from({ length: 600 }, (_, at): FakeLine => ({ tool: `${at} ${long}`, call: `${at}\n${long}`, text: `say ${at}` }))
    w.session('a', ['hello', ...calls])
    await w.prepare()
    const bytes = fs.statSync(join(w.tree.sessions, '1_full.jsonl')).size
    expect(bytes).toBeGreaterThan(50_000)
    expect(bytes).toBeLessThan(250_000)
    expect(w.said('1_full')).toContain('say 599')
  })

  it('keep secrets where the user said so, which the report and the header say', async () => {
    w.session('a', [`use ${SECRET}`])
    const report = await w.prepare({ redact: false })
    expect(w.said('1')).toEqual([`use ${SECRET}`])
    expect(w.slice('1')[0]).toMatchObject({ redaction: 'off' })
    expect(report.notices).toEqual([expect.stringContaining('--no-redact')])
    expect(report.redacted).toEqual({})
  })

  it('hold nothing that memU put there: blocks of this installation, our calls and their results, across two reads', async () => {
    const block = wrap('- shop: deploys run on Fridays', ownNonce(w.root))
    w.session('a', [
      `${block}\nwhen do we deploy?`,
      { tool: 'Bash', call: '1', text: 'memu-codex retrieve "deploy"' },
      { tool: 'Read', call: '2', text: JSON.stringify({ file_path: join(w.tree.base, 'memory', 'shop.md') }) },
    ])
    await w.cycle()
    expect(holding(w.tree.base, 'Fridays')).toEqual([])
    w.session(
      'a',
      [
        { tool: 'Bash', call: '1', result: true, text: 'deploys run on Fridays' },
        { tool: 'Read', call: '2', result: true, text: 'deploys run on Fridays' },
        { tool: 'Bash', call: '3', text: 'grep -rn Fridays docs' },
        'what does `memu retrieve` print?',
      ],
      5,
    )
    await w.prepare()
    expect(w.said('1_full')).toEqual(['grep -rn Fridays docs', 'what does `memu retrieve` print?'])
  })

  it('are not made of a run of ours, known by its prompt on a host that names no session, nor of what is added to it later', async () => {
    const nonce = ownNonce(w.root)
    w.session('run', [`Work through the job files.\n\n${runMark(nonce)}`, { role: 'assistant', text: 'I changed memory/shop.md' }])
    w.session('talk', ['our prompts end in `memu-run-…`, why?', runMark(nonce)])
    expect(await w.prepare()).toMatchObject({ sessions: [{ id: 'talk' }], skipped: { self: 1, nothingToMine: 0 } })
    w.session('run', ['and one more thing'], 5)
    expect(await w.prepare()).toMatchObject({ sessions: [{ id: 'talk' }], skipped: { self: 1 } })
  })

  it.each([
    ['empty', []],
    [
      'without a word',
      [
        { role: 'assistant', text: ' ' },
        { tool: 'Bash', call: 'c', text: 'ls' },
      ],
    ],
    ['a block of ours alone', ['block']],
  ] as const)('are not made of a run of ours whose log was %s when it was first looked at', async (_, before) => {
    const nonce = ownNonce(w.root)
    const lines = before.map((line) => (line === 'block' ? wrap('- deploys run on Fridays', nonce) : line))
    w.session('run', lines, 1)
    await w.cycle()
    w.session('run', [' ', `Work through the job files.\n${runMark(nonce)}`, { role: 'assistant', text: 'I changed memory/shop.md' }], 2)
    expect(await w.prepare()).toMatchObject({ sessions: [], skipped: { self: 1 } })
    w.session('run', ['and more'], 3)
    expect(await w.prepare()).toMatchObject({ sessions: [], skipped: { self: 1 } })
  })

  it('are not made of what subagents did in such a run either, whichever of them is read first', async () => {
    w.session('users', ['hello'], 3)
    for (const minute of [1, 5]) {
      const run = `run${minute}`
      w.session(run, [`Work through the job files.\n${runMark(ownNonce(w.root))}`], minute)
      w.session(`${run}+sub`, [{ role: 'assistant', text: 'reading the slices' }], 6 - minute)
    }
    expect(await w.prepare()).toMatchObject({ sessions: [{ id: 'users' }], skipped: { self: 4 } })
    expect(fs.readdirSync(w.tree.sessions).sort()).toEqual(['1.jsonl', '1_full.jsonl'])
  })

  it('are made of a session that only looked like a run of ours, once the user says so: which it was and how is told', async () => {
    const words = [`what is this?\n${runMark(ownNonce(w.root))}`, 'and how does it work?']
    w.session('a', words, 1)
    w.session('b', ['hello'], 2)
    const { notices } = await w.prepare()
    expect(notices).toEqual([
      `a begins with the prompt of a run of memU and is not mined. To undo that, take its id out of ${w.tree.selfSessions}.`,
    ])
    expect(await w.cycle()).toMatchObject({ prepared: { notices: [], skipped: { self: 1 } } })
    saveSelfSessions(w.tree, [])
    expect((await w.prepare()).notices).toEqual([])
    expect(w.said('1')).toEqual(words)
    await w.cycle()
    w.session('a', ['I see'], 3)
    await w.prepare()
    expect(w.said('1')).toEqual(['I see'])
  })

  it('have a header of a few hundred characters, whatever the host calls a session', async () => {
    w.session('a', [{ text: 'hello', title: `about\nthe shop ${'x'.repeat(3_000_000)} ${SECRET}` }])
    const report = await w.prepare()
    const { title } = w.slice('1')[0] as { title: string }
    expect(title).toMatch(/^about the shop x+ \[… 2999\d+ characters left out …\] x+ \[removed: test-password\]$/)
    expect(title.length).toBeLessThan(500)
    expect(w.slice('1')[0]).toMatchObject({ left_out: { characters: expect.any(Number) as number } })
    expect(report.sessions[0]?.title).toBe(title)
    for (const path of ['sessions/1.jsonl', 'sessions/1_full.jsonl']) expect(w.read(path).length).toBeLessThan(1_000)
  })

  it('pass the guard before redaction, and redaction before size', async () => {
    const block = wrap(`- ${SECRET}`, ownNonce(w.root))
    // The secret lies across the place where the text is cut.
    const long = `${'.'.repeat(11_995)}${SECRET}${'.'.repeat(50_000)}${SECRET}${'.'.repeat(3_995)}`
    w.session('a', [`${block} hello`, { tool: 'Read', text: long }])
    const report = await w.prepare()
    expect(report.redacted).toEqual({ 'test-password': 2 })
    expect(holding(w.tree.sessions, 'pw-')).toEqual([])
    expect(w.said('1_full')[1]).toMatch(/^\.{11995}\[remo\n\[… \d+ characters left out …\]\n.*\.{3990}$/s)
  })

  it('leave pictures and data out, and say so in the header and the report', async () => {
    const picture = `data:image/png;base64,${Buffer.from(Array.from({ length: 3000 }, (_, n) => (n * 131) % 251)).toString('base64')}`
    w.session('a', [`look: ${picture} at this`, 'x'.repeat(5_000_000)])
    const report = await w.prepare()
    expect(w.said('1')[0]).toBe('look: [image] at this')
    expect(w.said('1')[1]).toHaveLength(32_000 + '\n[… 4968000 characters left out …]\n'.length)
    const left = { images: 1, characters: picture.length + 4_968_000 }
    expect(w.slice('1')[0]).toMatchObject({ left_out: left })
    expect(report.sessions[0]).toMatchObject({ left_out: left })
  })

  it('say when the session was, on which host and where, and join calls with their results', async () => {
    w.session('a', [
      { text: 'one', at: '2026-01-01T10:00:00.000Z' },
      { tool: 'Bash', call: 'c1', text: 'ls', at: '2026-01-01T10:00:05.000Z' },
    ])
    await w.prepare()
    const [header, , call] = w.slice('1_full')
    expect(header).toEqual({
      host: 'fake',
      session: 'a',
      project: '/home/u/shop',
      title: 'about a',
      redaction: 7,
      from: '2026-01-01T10:00:00.000Z',
      to: '2026-01-01T10:00:05.000Z',
    })
    expect(call).toMatchObject({ role: 'tool', tool: 'Bash', call: 'c1', part: 'call' })
  })
})

describe('a session that is larger than a slice', () => {
  const line = (n: number, size: number): FakeLine => ({ text: `${n} ${'word '.repeat(Math.ceil(size / 5))}`, key: `k${n}` })
  const tool = (n: number, size: number): FakeLine => ({ ...line(n, size), tool: 'Bash', call: `c${n}` })
  const number = (text: string): number => Number(text.split(' ')[0])

  /** Runs until nothing waits; the numbers of the records that each run's slices held. */
  async function drain(between: (run: number) => void = () => {}): Promise<{ messages: number[]; all: number[]; runs: number }> {
    const messages: number[] = []
    const all: number[] = []
    for (let run = 1; run <= 40; run++) {
      const { prepared } = await w.cycleAndLook((look) => {
        messages.push(...look.said('1').map(number))
        all.push(...look.said('1_full').map(number))
        expect(fs.statSync(join(w.tree.sessions, '1.jsonl')).size).toBeLessThan(205_000)
        expect(fs.statSync(join(w.tree.sessions, '1_full.jsonl')).size).toBeLessThan(450_000)
      })
      if (prepared.sessions.length === 0) return { messages, all, runs: run - 1 }
      between(run)
    }
    throw new Error('it never drained')
  }

  it('is mined over several runs, each word once and in order, and every run says what waits', async () => {
    const lines = Array.from({ length: 60 }, (_, n) => line(n, 20_000))
    w.session('a', lines)
    const first = await w.prepare()
    expect(first).toMatchObject({ waiting: 1, sessions: [{ continues: true }] })
    expect(w.slice('1')[0]).toMatchObject({ continues: true })
    const { messages, runs } = await drain()
    expect(messages).toEqual(lines.map((_, n) => n))
    expect(runs).toBe(7)
    expect(await w.prepare()).toMatchObject({ waiting: 0, sessions: [], skipped: { unchanged: 1 } })
  })

  it('is read on from where the last slice ended, and what is bad in it is told once', async () => {
    w.session(
      'a',
      Array.from({ length: 5 }, (_, n) => line(n, 5_000)),
    )
    fs.appendFileSync(join(w.log, 'a.jsonl'), 'not JSON\n')
    w.session(
      'a',
      Array.from({ length: 200 }, (_, n) => line(5 + n, 5_000)),
    )
    let read = 0
    const source = async (directory: string): Promise<TranscriptSource> =>
      withEmit(fakeSource(directory), (emit) => (record) => {
        read++
        return emit(record)
      })
    const deps = { ...w.deps, spec: { ...w.deps.spec, source } }
    let bad = 0
    for (let report = await prepare({}, deps); report.sessions.length > 0; report = await prepare({}, deps)) {
      bad += report.bad.length
      w.finish(1, 2, 3)
      await w.commit()
    }
    expect({ read, bad }).toEqual({ read: 205, bad: 1 })
  })

  it('loses nothing where the source reads to the end whatever it is told', async () => {
    await w.end()
    const deaf =
      (emit: Emit): Emit =>
      async (record) => {
        await emit(record)
      }
    w = await world({ deps: { redaction }, spec: { source: async (directory) => withEmit(fakeSource(directory), deaf) } })
    w.session(
      'a',
      Array.from({ length: 60 }, (_, n) => line(n, 20_000)),
    )
    const { messages } = await drain()
    expect(messages).toEqual(Array.from({ length: 60 }, (_, n) => n))
  })

  it('loses nothing that is said meanwhile, nor where the log is rewritten on the way', async () => {
    const lines = Array.from({ length: 40 }, (_, n) => line(n, 20_000))
    w.session('a', lines)
    const { messages } = await drain((run) => {
      if (run === 1) w.session('a', [line(40, 20_000)], 10)
      if (run === 2) {
        fs.writeFileSync(join(w.log, 'a.jsonl'), [...lines.slice(5), line(41, 10)].map((one) => `${JSON.stringify(one)}\n`).join(''))
      }
    })
    // The rewrite dropped line 40 unless it was taken before.
    expect(messages.filter((n) => n !== 40)).toEqual([...lines.map((_, n) => n), 41])
  })

  it('has tool records of which the long ones are shortened, and more of them than fit wait', async () => {
    const short = Array.from({ length: 50 }, (_, n) => tool(n, 100))
    const long = Array.from({ length: 50 }, (_, n) => tool(50 + n, n === 0 ? 60_000 : 15_000))
    w.session('a', [...short, ...long, line(100, 100)])
    await w.prepare()
    const said = w.said('1_full')
    expect(said.map(number)).toEqual(Array.from({ length: 101 }, (_, n) => n))
    expect(said.slice(0, 50).every((text) => !text.includes('left out'))).toBe(true)
    for (const [n, text] of said.slice(50, 100).entries()) {
      const [note, cut] = /\n\[… (\d+) characters left out …\]\n/.exec(text) ?? ['']
      expect(text.length - note.length + Number(cut)).toBe(long[n]?.text.length)
    }
    expect(fs.statSync(join(w.tree.sessions, '1_full.jsonl')).size).toBeLessThan(215_000)

    const many = Array.from({ length: 2000 }, (_, n) => tool(1000 + n, 300))
    w.session('a', many, 5)
    const { all } = await drain()
    expect(all.slice(101)).toEqual(many.map((_, n) => 1000 + n))
  })

  it('is one whole over any number of runs, whatever it is made of', async () => {
    const sizes = fc.array(fc.tuple(fc.boolean(), fc.constantFrom(1, 200, 5_000, 60_000)), { minLength: 1, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(sizes, async (records) => {
        const own = await world({ deps: { redaction } })
        const outer = w
        w = own
        try {
          const lines = [...records.map(([isTool, size], n) => (isTool ? tool(n, size) : line(n, size))), line(records.length, 1)]
          own.session('a', lines)
          const { all } = await drain()
          expect(all).toEqual(lines.map((_, n) => n))
        } finally {
          w = outer
          await own.end()
        }
      }),
      { numRuns: 15 },
    )
  })
})

describe('memory files', () => {
  it('come into the store without the secrets that an agent wrote, with the rest of each line, and lie so on the disk', async () => {
    w.session('a', ['hello'])
    await w.prepare()
    w.write(
      'memory/db.md',
      `---\nname: db\ndescription: the database (${SECRET})\nnote: ${SECRET}\n---\n\n- db: the password is ${SECRET}, on port 5432\n`,
    )
    w.finish(1, 2, 3)
    const report = await w.commit()
    expect(report).toMatchObject({ created: [{ track: 'memory', name: 'db' }], redacted: { 'test-password': 2 }, problems: [] })
    expect(await w.stored('memory', 'db')).toBe('- db: the password is [removed: test-password], on port 5432')
    expect(w.read('memory/db.md')).toContain('note: [removed: test-password]')
    expect(holding(w.tree.base, SECRET)).toEqual([])
    for (const version of await w.backend.history({ track: 'memory', name: 'db' })) expect(JSON.stringify(version)).not.toContain(SECRET)
    expect(await w.commit()).toMatchObject({ created: [], updated: [], redacted: {} })
  })

  it('show no secret that the store has from before, and the store loses it when the file changes', async () => {
    await w.store('memory', 'old', `- the password is ${SECRET}\n- port 5432`)
    w.session('s', ['hello'])
    await w.cycle()
    expect(w.read('memory/old.md')).toContain('- the password is [removed: test-password]\n- port 5432')
    expect(holding(w.tree.base, SECRET)).toEqual([])
    expect(await w.commit()).toMatchObject({ updated: [], redacted: {} })
    expect(await w.stored('memory', 'old')).toContain(SECRET)

    w.write('memory/old.md', w.read('memory/old.md').replace('5432', '5433'))
    expect(await w.commit()).toMatchObject({ updated: [{ name: 'old' }], merged: [], notices: [] })
    expect(await w.stored('memory', 'old')).toBe('- the password is [removed: test-password]\n- port 5433')
    fs.rmSync(join(w.tree.base, 'memory/old.md'))
    expect(await w.commit({ force: true })).toMatchObject({ forgotten: [{ name: 'old' }] })
  })

  it('keep them where the user said so', async () => {
    w.write('memory/db.md', memoryFile('db', `- ${SECRET}`))
    expect(await w.commit({ redact: false })).toMatchObject({ redacted: {}, notices: [expect.stringContaining('--no-redact')] })
    expect(await w.stored('memory', 'db')).toBe(`- ${SECRET}`)
    expect((await w.commit({ redact: false })).notices).toEqual([]) // Nothing was stored.
  })

  it('stay in the mirror where their name holds one, without it, for the next commit, and the others go through', async () => {
    w.write('memory/secret.md', memoryFile(`n ${SECRET}`, `- the password is ${SECRET}, on port 5432`))
    w.write(`memory/at-${SECRET}.md`, '- a line')
    w.write('memory/ok.md', memoryFile('ok', '- y'))
    const report = await w.commit()
    expect(report.created).toEqual([{ track: 'memory', name: 'ok' }])
    expect(report.problems).toEqual(
      ['memory/at-[removed: test-password].md', 'memory/secret.md'].map((path) => ({
        on: join(w.tree.base, path),
        reason: expect.stringContaining('its name holds a secret'),
      })),
    )
    expect(JSON.stringify(report)).not.toContain(SECRET)
    expect(w.read('memory/secret.md')).toContain('- the password is [removed: test-password], on port 5432')
    expect(holding(w.tree.base, SECRET)).toEqual([])
    expect(w.has(`memory/at-${SECRET}.md`)).toBe(false)

    const next = await w.commit()
    expect(next.problems).toEqual([])
    expect(next.created.map(({ name }) => name)).toEqual([expect.stringMatching(/^at-removed-test-password/), 'n [removed: test-password]'])
    expect(await w.stored('memory', 'n [removed: test-password]')).toContain('on port 5432')
  })

  it('that cannot be read for their front matter lose their secrets too, and reports show none of a name', async () => {
    w.session(`s-${SECRET}`, ['hello'])
    fs.appendFileSync(join(w.log, `s-${SECRET}.jsonl`), '{"half\n')
    w.write('memory/broken.md', `---\nname: x\nname: y\nno colon ${SECRET}\n- the password is ${SECRET}\n`)
    fs.writeFileSync(join(w.tree.base, `memory/bin-${SECRET}.md`), Buffer.from([0, 1, 2]))
    const prepared = await w.prepare()
    expect(prepared.bad).toHaveLength(1)
    const report = await w.commit()
    expect(report.problems.map(({ on }) => on)).toEqual(
      expect.arrayContaining([join(w.tree.base, 'memory/bin-[removed: test-password].md')]),
    )
    expect(JSON.stringify([prepared.bad, prepared.problems, report.problems])).not.toContain(SECRET)
    expect(w.read('memory/broken.md')).toContain('- the password is [removed: test-password]')
  })

  it('are counted once where the store moved in between, and no notice shows what was removed', async () => {
    await w.store('memory', 'a', '- one')
    w.session('s', ['hello'])
    await w.prepare()
    w.write('memory/a.md', memoryFile('a', `- one is ${SECRET}`))
    await w.store('memory', 'a', '- one is another')
    w.finish(1, 2, 3)
    const report = await w.commit()
    expect(report).toMatchObject({ merged: [{ name: 'a' }], redacted: { 'test-password': 1 } })
    expect(JSON.stringify(report)).not.toContain(SECRET)
    expect(report.notices.join()).toContain('[removed: test-password]')
  })

  it('and described documents too: captions without secrets, and none of a path that holds one', async () => {
    const [plain, secret] = [join(w.root, 'plan.md'), join(w.root, `${SECRET}.md`)]
    for (const path of [plain, secret]) fs.writeFileSync(path, 'x')
    w.write('resources.md', `---\npath: ${plain}\ndescription: opens with ${SECRET}\n---\npath: ${secret}\ndescription: a plan\n---\n`)
    const report = await w.commit()
    expect(report).toMatchObject({ resources: 1, redacted: { 'test-password': 1 } })
    expect(report).toMatchObject({ notices: ['1 described files were left out: their paths hold a secret.'] })
    const { resources } = await w.backend.progressiveRetrieve('opens with')
    expect(resources.map(({ url, caption }) => [url, caption])).toEqual([[plain, 'opens with [removed: test-password]']])
  })
})
