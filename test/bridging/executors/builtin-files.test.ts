import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeResources } from '../../../src/bridging/executors/builtin/documents.ts'
import { builtinExecutor } from '../../../src/bridging/executors/builtin.ts'
import { mirrorText, writeMirror } from '../../../src/bridging/executors/mirror-text.ts'
import { readMirrorFile } from '../../../src/bridging/mirror-files.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'
import { type PreparedRun, type PreparedSession, preparedRun } from './slice-file.ts'

const FACTS = 'memory/shop-facts.md'
const SKILL = 'skill/fix-npm-test-econnrefused.md'
const MIB = 1024 * 1024
const session: PreparedSession = {
  date: '2026-03-04',
  says: [
    'The API runs on port 8081.',
    { call: 'npm test', result: 'Exit code 1\nError: connect ECONNREFUSED 127.0.0.1:5432', failed: true },
    { call: 'docker compose up -d db', result: 'ok' },
    { call: 'npm test', result: 'ok' },
  ],
}
/** Of a project of its own. */
const other: PreparedSession = { project: '/home/u/blog', date: '2026-03-05', says: ['The blog runs on port 3000.'] }

const old = (...lines: readonly string[]): Buffer => Buffer.from(`---\nname: old\n---\n\n${lines.join('\n')}\n`)
const oldSkill = (line: string): Buffer => old('## Noted by the built-in rules', '', 'Seen on 2026-01-01: before.', '', line)

/** Files outside the tree that a link leads to. */
function precious(): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'precious.txt'), oldSkill('mine'))
  return folder
}

function put(run: PreparedRun, path: string, bytes: Buffer): void {
  writeFileSync(join(run.layout.base, path), bytes)
}

describe('a mirror file that commit would refuse', () => {
  it.each<[string, RegExp, (path: string) => void]>([
    [
      'holds bytes of another encoding',
      /not valid UTF-8/,
      (path) => writeFileSync(path, Buffer.concat([old(), Buffer.from([0xe9, 0x0a])])),
    ],
    ['holds NUL bytes', /NUL/, (path) => writeFileSync(path, oldSkill('a\0b'))],
    ['is larger than 1 MiB', /larger than/, (path) => writeFileSync(path, oldSkill('x'.repeat(MIB)))],
    ['is a folder', /not a regular file/, (path) => mkdirSync(path)],
    ['is a link that leads nowhere', /not a regular file/, (path) => symlinkSync(join(temporaryFolder(), 'none.md'), path)],
  ])('fails the jobs that would change it and no other, where it %s', async (_what, why, make) => {
    const run = preparedRun([session, other])
    for (const path of [FACTS, SKILL]) make(join(run.layout.base, path))
    const before = contents(run)
    const result = await builtinExecutor().run(run)
    expect(result.failed.map(({ job }) => job)).toEqual([1, 3])
    for (const { reason } of result.failed) expect(reason).toMatch(why)
    expect(result.failed[0]!.reason).toContain(join(run.layout.base, FACTS))
    expect(readdirSync(run.layout.done).sort()).toEqual(['2', '4', '5'])
    expect(result.learned?.map(({ file }) => file)).toEqual(['blog-facts'])
    expect(contents(run)).toEqual(before)
  })

  it('is learned into once it is repaired', async () => {
    const run = preparedRun([session])
    put(run, FACTS, Buffer.from([0xe9, 0x0a]))
    expect((await builtinExecutor().run(run)).failed).toHaveLength(1)
    put(run, FACTS, Buffer.from('é\n'))
    expect((await builtinExecutor().run(run)).failed).toEqual([])
    expect(mirrorText(run.layout, FACTS)).toMatch(/é\n[\s\S]*port 8081/)
  })

  it('is not made: neither by one line too many nor by a NUL of a session', async () => {
    const { layout } = preparedRun([])
    expect(() =>
      writeMirror(layout, [
        { path: 'memory/a.md', text: 'a' },
        { path: FACTS, text: 'x'.repeat(MIB + 1) },
      ]),
    ).toThrow(/larger than/)
    expect(readdirSync(layout.tracks.memory)).toEqual([])
    writeMirror(layout, [{ path: FACTS, text: `\0${'x'.repeat(MIB - 1)}` }])
    expect(readMirrorFile(layout, FACTS)).toMatchObject({ ok: true })
    writeMirror(layout, [{ path: FACTS, text: 'x'.repeat(MIB) }])
    expect(readMirrorFile(layout, FACTS)).toMatchObject({ ok: true })
  })
})

describe('a link in the tree', () => {
  it('as a mirror file keeps what it leads to as it is', async () => {
    const run = preparedRun([session, other])
    const target = join(precious(), 'precious.txt')
    for (const path of [FACTS, SKILL]) symlinkSync(target, join(run.layout.base, path))
    const result = await builtinExecutor().run(run)
    expect(result.failed.map(({ job }) => job)).toEqual([1, 3])
    expect(readFileSync(target)).toEqual(oldSkill('mine'))
  })

  it('as the folder of a track keeps what it leads to as it is', async () => {
    const run = preparedRun([session])
    const outside = precious()
    for (const folder of Object.values(run.layout.tracks)) {
      rmSync(folder, { recursive: true })
      symlinkSync(outside, folder)
    }
    const result = await builtinExecutor().run(run)
    expect(result.failed.slice(0, 2)).toMatchObject([
      { job: 1, reason: expect.stringContaining('its folder memory is a link') },
      { job: 2, reason: expect.stringContaining('its folder skill is a link') },
    ])
    expect(readdirSync(outside)).toEqual(['precious.txt'])
  })

  it('that came while the session was read is seen before any file is written', () => {
    const { layout } = preparedRun([])
    const outside = precious()
    expect(mirrorText(layout, FACTS)).toBeUndefined()
    symlinkSync(join(outside, 'precious.txt'), join(layout.base, FACTS))
    for (const change of [{ path: FACTS, text: 'new' }, { path: FACTS }]) {
      expect(() => writeMirror(layout, [{ path: 'memory/a.md', text: 'a' }, change])).toThrow('not a regular file')
    }
    expect(readdirSync(layout.tracks.memory)).toEqual(['shop-facts.md'])
    expect(readFileSync(join(outside, 'precious.txt'))).toEqual(oldSkill('mine'))
  })

  it('above the tree is the user’s own, and is followed', async () => {
    const base = join(temporaryFolder(), 'tree')
    const run = preparedRun([session], base)
    const real = join(mkdtempSync(join(dirname(base), 'real-')), 'tree')
    renameSync(base, real)
    symlinkSync(real, base)
    expect((await builtinExecutor().run(run)).failed).toEqual([])
    expect(readFileSync(join(real, FACTS), 'utf8')).toContain('port 8081')
  })

  it('as the list of documents or their log keeps what it leads to as it is', async () => {
    const project = temporaryFolder()
    const call = JSON.stringify({ file_path: join(project, 'plan.md'), content: '# Plan' })
    const run = preparedRun([{ project, says: [{ tool: 'Write', call, result: 'ok' }] }])
    const outside = precious()
    const record = `path: ${join(outside, 'precious.txt')}\ndescription:\n`
    writeFileSync(join(outside, 'list'), record)
    symlinkSync(join(outside, 'precious.txt'), run.layout.resourceLog)
    const result = await builtinExecutor().run(run)
    expect(result.failed).toContainEqual({ job: 2, reason: expect.stringContaining('not a regular file') })
    expect(readFileSync(join(outside, 'precious.txt'))).toEqual(oldSkill('mine'))
    symlinkSync(join(outside, 'list'), run.layout.resources)
    expect(() => describeResources(run.layout, [])).toThrow('not a regular file')
    expect(readFileSync(join(outside, 'list'), 'utf8')).toBe(record)
  })
})

/** Of the two files; what a folder or a dead link holds is nothing. */
function contents(run: PreparedRun): (string | undefined)[] {
  return [FACTS, SKILL].map((path) => {
    try {
      return readFileSync(join(run.layout.base, path), 'latin1')
    } catch {
      return undefined
    }
  })
}
