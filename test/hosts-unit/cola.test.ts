import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cola } from '../../src/hosts/cola/spec.ts'
import type { TranscriptSource } from '../../src/hosts/transcript-source.ts'
import { realSystem } from '../../src/util/system.ts'
import { hostContract } from '../contract/host.ts'
import { noReport, readAll, transcriptSourceContract } from '../contract/transcript-source.ts'
import { time } from './claude-code-lines.ts'
import { colaLines, colaLog } from './cola-log.ts'
import { call, entry, header, message, result, sessionId } from './pi-lines.ts'

const system = { ...realSystem(), now: () => new Date('2026-10-01T00:00:00Z') }

transcriptSourceContract(colaLines)
hostContract(colaLog)

describe('Cola', () => {
  let root: string
  let source: TranscriptSource
  const [original, copy, second] = [1, 2, 3].map(sessionId) as [string, string, string]
  const shared = [
    entry('model_change', 0, { modelId: 'm1' }, 2),
    message(0, 'system', 'You are an agent.', {}, 3),
    message(1, 'user', 'first'),
    call(2, 'ls'),
    result(2, 'a.ts'),
  ]

  beforeEach(async () => {
    root = fs.mkdtempSync(join(tmpdir(), 'memu-cola-'))
    source = await cola.source(root, system)
  })
  afterEach(() => fs.rmSync(root, { recursive: true, force: true }))

  function write(id: string, lines: readonly string[], scope = 'desktop%3Alocal'): string {
    const path = join(root, scope, `2026-09-01T08:00:00.000Z_${id}.jsonl`)
    fs.mkdirSync(dirname(path), { recursive: true })
    fs.writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
    return path
  }
  const textsOf = async (id: string): Promise<readonly string[]> => {
    const session = source.discover(noReport).find((known) => known.id === id)
    if (session === undefined) throw new Error('not discovered')
    return (await readAll(source, session)).texts
  }

  it('mines what two transcripts share in the older one alone, in whichever scope it lies', async () => {
    write(original, [header(original), ...shared, message(4, 'user', 'in the original')])
    write(copy, [header(copy, { timestamp: time(100) }), ...shared, message(101, 'user', 'in the copy')], 'phone')
    write(second, [header(second, { timestamp: time(200) }), ...shared, message(201, 'user', 'in the second copy')])
    expect(await textsOf(original)).toEqual(['first', 'ls', 'a.ts', 'in the original'])
    expect(await textsOf(copy)).toEqual(['in the copy'])
    expect(await textsOf(second)).toEqual(['in the second copy'])
  })

  it('mines it in the oldest copy where the original is gone', async () => {
    write(copy, [header(copy, { timestamp: time(100) }), ...shared])
    write(second, [header(second, { timestamp: time(200) }), ...shared, message(201, 'user', 'after')])
    expect(await textsOf(copy)).toEqual(['first', 'ls', 'a.ts'])
    expect(await textsOf(second)).toEqual(['after'])
  })

  it('does not take sessions that merely number their entries alike for copies', async () => {
    write(original, [header(original), ...shared])
    write(copy, [header(copy), message(1, 'user', 'another')])
    expect(await textsOf(copy)).toEqual(['another'])
  })

  it('takes times from the message where the entry has none', async () => {
    const bare = (number: number, text: string): string =>
      entry('message', number, { timestamp: undefined, message: { role: 'user', content: text, timestamp: Date.parse(time(number)) } })
    write(original, [header(original), bare(1, 'first')])
    write(copy, [header(copy, { timestamp: time(100) }), bare(1, 'first'), bare(101, 'second')])
    expect(await textsOf(copy)).toEqual(['second'])
    const session = source.discover(noReport).find(({ id }) => id === original)!
    expect((await readAll(source, session)).records[0]?.at).toBe(time(1))
  })

  it('looks where Cola keeps its sessions, also when that was moved', () => {
    const at = (env: Record<string, string> = {}): string | undefined => cola.sessionDir({ ...system, home: '/home/u', env })
    expect(at()).toBe(join('/home/u', '.cola', 'sessions'))
    expect(at({ COLA_DATA_DIR: '/data' })).toBe(join('/data', 'sessions'))
    expect(at({ COLA_DATA_DIR: '' })).toBe(join('/home/u', '.cola', 'sessions'))
  })
})
