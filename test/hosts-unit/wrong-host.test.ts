import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hostLogCheck } from '../../src/doctor/checks/host-log.ts'
import { claudeCode, codex } from '../../src/hosts/registry.ts'
import { foreignLog, foreignText, refuseForeignLog } from '../../src/hosts/wrong-host.ts'
import { realSystem } from '../../src/util/system.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

const CLAUDE = '{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"hello"}}\n'
const CODEX = '{"timestamp":"2026-03-01T10:00:00.000Z","type":"session_meta","payload":{"id":"s"}}\n'

function folder(files: Readonly<Record<string, string>>): string {
  const directory = temporaryFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), text)
  }
  return directory
}

describe('a folder of session logs', () => {
  it('is told to be another host’s, whatever its layout, with the program to use', () => {
    const claude = folder({ '-home-dev-shop/a.jsonl': CLAUDE, '-home-dev-shop/a/subagents/agent-b.jsonl': CLAUDE })
    expect(foreignLog(codex, claude)).toEqual({ files: 2, of: claudeCode })
    expect(foreignLog(claudeCode, folder({ '2026/03/01/rollout-x.jsonl': CODEX }))).toEqual({ files: 1, of: codex })
    expect(() => refuseForeignLog('bridge', codex, claude)).toThrow(
      expect.objectContaining({
        code: 'wrong_host',
        exit: 2,
        message: `2 files in ${claude}, none of them a log of Codex; they are logs of Claude Code.`,
        hint: `Did you mean memu-claude-code bridge --session-dir ${claude}?`,
      }) as Error,
    )
  })

  it('is the host’s own where a single file of it is', () => {
    const mixed = folder({ 'a.jsonl': CLAUDE, 'b.jsonl': CODEX })
    for (const spec of [claudeCode, codex]) expect(foreignLog(spec, mixed)).toBeUndefined()
  })

  it('is nobody’s where nothing in it is known, and nothing is said of an empty one', () => {
    expect(foreignLog(codex, folder({ 'a.jsonl': '{"level":"info"}\nnot JSON\n' }))).toEqual({ files: 1 })
    for (const files of [{}, { 'a.jsonl': '' }, { 'notes.md': 'x' }]) expect(foreignLog(codex, folder(files))).toBeUndefined()
    expect(foreignLog(codex, join(temporaryFolder(), 'missing'))).toBeUndefined()
  })

  it('is the host’s own with the first records that each version wrote', () => {
    for (const first of ['{"type":"summary","summary":"x","leafUuid":"u"}\n', '{"type":"file-history-snapshot","messageId":"m"}\n'])
      expect(foreignLog(claudeCode, folder({ 'a.jsonl': first }))).toBeUndefined()
    for (const first of [
      '{"id":"s","timestamp":"2025-05-01T00:00:00Z","instructions":null}\n',
      '{"type":"message","role":"user","content":[]}\n',
    ])
      expect(foreignLog(codex, folder({ 'a.jsonl': first }))).toBeUndefined()
  })

  it.each([
    '{"id":"m1","timestamp":"2026-09-01T08:00:01Z","from":"user","text":"hello"}\n',
    '{"id":"s","timestamp":"2026-09-01T08:00:01Z","cwd":"/home/u/shop"}\n',
    '{"timestamp":"2026-09-01T08:00:01Z","type":"said","payload":{"text":"hello"}}\n',
    '{"type":"message","role":"user","content":[{"type":"text","text":"hello"}]}\n',
    '{"record_type":"chat","payload":{}}\n',
  ])('is not taken for one of Codex by ids, times and payloads, which many write: %s', (line) => {
    for (const spec of [claudeCode, codex]) expect(foreignLog(spec, folder({ 'a.jsonl': line }))).toEqual({ files: 1 })
  })

  it('is counted exactly as far as it is looked at', () => {
    const files = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}.jsonl`, CLAUDE]))
    const said = (count: number): string => {
      const place = folder(files(count))
      return foreignText(codex, place, foreignLog(codex, place)!)
    }
    expect(said(1)).toMatch(/^1 file in /)
    expect(said(50)).toMatch(/^50 files in /)
    for (const count of [51, 120]) expect(said(count)).toMatch(/^More than 50 files in /)
  })

  it('of another host is a finding of doctor', async () => {
    const home = folder({ 'moved/sessions/-home-dev-shop/a.jsonl': CLAUDE })
    const system = { ...realSystem(), home, env: { CODEX_HOME: join(home, 'moved') } }
    const [finding] = await hostLogCheck.run({ hosts: [codex], system } as unknown as Parameters<typeof hostLogCheck.run>[0])
    expect(finding).toMatchObject({
      level: 'warn',
      what: expect.stringContaining('none of them a log of Codex'),
      next: expect.stringContaining('memu-claude-code'),
    })
  })
})
