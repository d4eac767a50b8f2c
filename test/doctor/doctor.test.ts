import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadSettings } from '../../src/config/load.ts'
import type { BridgingFacts, Finding } from '../../src/doctor/check.ts'
import { type Diagnosis, diagnose } from '../../src/doctor/doctor.ts'
import { formatDiagnosis } from '../../src/doctor/format.ts'
import { agent } from '../../src/hosts/agent/spec.ts'
import type { HostSpec } from '../../src/hosts/host-spec.ts'
import { claudeCode, codex, hostSpecs } from '../../src/hosts/registry.ts'
import { openBackend } from '../../src/memory/open.ts'
import { MemuError } from '../../src/util/errors.ts'
import { realSystem, type System } from '../../src/util/system.ts'
import { embeddingServer } from '../helpers/embedding-server.ts'
import { jsonServer } from '../helpers/json-server.ts'

let home: string
let system: System
const NOW = new Date('2026-03-10T12:00:00.000Z')
const LEARNED: BridgingFacts = { lastSuccess: '2026-03-10T03:00:00.000Z' }

beforeEach(() => {
  home = fs.mkdtempSync(join(tmpdir(), 'memu-doctor-'))
  fs.mkdirSync(join(home, '.memu'), { mode: 0o700 })
  system = { ...realSystem(), env: {}, home, cwd: home, now: () => NOW }
})
afterEach(() => fs.rmSync(home, { recursive: true, force: true }))

const configFile = (): string => join(home, '.memu', 'config.env')
const config = (text: string): void => fs.writeFileSync(configFile(), text, { mode: 0o600 })
const look = (facts: BridgingFacts = LEARNED, hosts = [claudeCode]): Promise<Diagnosis> =>
  diagnose({ system, hosts, bridging: () => facts })
const of = (diagnosis: Diagnosis, check: string): Finding[] => diagnosis.findings.filter((finding) => finding.check === check)

async function remembered(): Promise<void> {
  const backend = await openBackend(loadSettings(system), system)
  await backend.commitResults({
    recall_files: [{ track: 'memory', name: 'deploys', content: '# Deploys\nStaging first, then production.' }],
  })
  await backend.close()
}

function session(): void {
  const directory = join(home, '.claude', 'projects', '-work')
  fs.mkdirSync(directory, { recursive: true })
  fs.writeFileSync(
    join(directory, '6d0f6a3e-9d57-4d9f-8a54-0c1c44e0f6a1.jsonl'),
    '{"type":"user","message":{"role":"user","content":"hello"}}\n',
  )
}

describe('doctor', () => {
  it('says that everything works where it does, with a real search', async () => {
    config('MEMU_DB=~/.memu/memory.db\n')
    await remembered()
    session()
    const diagnosis = await look()
    expect(diagnosis.findings.filter(({ level }) => level !== 'ok')).toEqual([])
    expect(diagnosis.level).toBe('ok')
    expect(of(diagnosis, 'store')[0]!.what).toContain('Files: 1, lines: 1')
    expect(of(diagnosis, 'search')[0]!.what).toContain('finds a stored line')
    expect(of(diagnosis, 'sessions')[0]!.what).toContain('Claude Code: 1 in ')
  })

  it('changes nothing on the disk', async () => {
    config('MEMU_DB=~/.memu/memory.db\n')
    await look()
    expect(fs.readdirSync(join(home, '.memu'))).toEqual(['config.env'])
  })

  it('gives every finding that is not ok the next step', async () => {
    const diagnosis = await look({})
    const bad = diagnosis.findings.filter(({ level }) => level !== 'ok')
    expect(bad.length).toBeGreaterThan(1)
    for (const finding of bad) expect(finding.next).toMatch(/\S/)
  })

  it('fails where no store is declared, and names the line to add', async () => {
    const diagnosis = await look()
    expect(diagnosis.level).toBe('fail')
    expect(of(diagnosis, 'configuration')).toMatchObject([{ level: 'warn' }])
    expect(of(diagnosis, 'store')).toMatchObject([{ level: 'fail', next: expect.stringContaining('MEMU_DB=~/.memu/memory.db') }])
  })

  it('warns of a store whose folder is not there, as after a slip of the pen in MEMU_DB', async () => {
    config('MEMU_DB=~/.mmeu/memory.db\n')
    expect(of(await look(), 'store')).toMatchObject([
      { level: 'warn', what: expect.stringContaining('nor does its folder'), next: expect.stringContaining(configFile()) },
    ])
    config('MEMU_DB=~/.memu/memory.db\n')
    expect(of(await look(), 'store')).toMatchObject([{ level: 'warn', what: expect.stringContaining('holds nothing yet') }])
  })

  it('says that scheduled runs do not see a store that only the shell declares', async () => {
    system = { ...system, env: { MEMU_DB: ':memory:' } }
    expect(of(await look(), 'configuration')[0]!.next).toContain('MEMU_DB=:memory:')
  })

  it('never shows the password of a database, wherever it is declared', async () => {
    const address = 'postgres://me:hidden-word@db.example/memory'
    system = { ...system, env: { MEMU_DB: address } }
    const declared = await look()
    expect(of(declared, 'configuration')[0]!.next).toContain('MEMU_DB=postgres://db.example/memory')
    config(`MEMU_DB=${address}\n`)
    system = { ...system, env: {} }
    expect(JSON.stringify([declared, await look()])).not.toContain('hidden-word')
  })

  it('looks no further than a configuration that cannot be read', async () => {
    config('MEMU_MEMORY_MODE=colud\n')
    const diagnosis = await look()
    expect(diagnosis.findings).toMatchObject([
      { check: 'configuration', level: 'fail', what: expect.stringContaining('colud'), next: expect.stringContaining(configFile()) },
    ])
  })

  it.skipIf(process.platform === 'win32')('warns of files that others can read', async () => {
    config('MEMU_DB=~/.memu/memory.db\n')
    await remembered()
    fs.chmodSync(configFile(), 0o644)
    fs.chmodSync(join(home, '.memu', 'memory.db'), 0o640)
    const diagnosis = await look()
    expect(of(diagnosis, 'configuration')).toMatchObject([{ level: 'warn', next: `chmod 600 ${configFile()}` }])
    expect(of(diagnosis, 'store')).toMatchObject([{ level: 'ok' }, { level: 'warn', next: expect.stringContaining('chmod 600') }])
  })

  it.each([undefined, 'MEMU_DB=:memory:\n'])(
    'fails on an address of the executor that holds a password, without it (file: %j)',
    async (text) => {
      if (text !== undefined) config(text)
      system = { ...system, env: { MEMU_DB: ':memory:', MEMU_EXECUTOR_BASE_URL: 'http://someone:hidden-word@h/v1?key=hidden-word' } }
      const [finding] = of(await look(), 'configuration')
      expect(finding).toMatchObject({ level: 'fail', what: 'MEMU_EXECUTOR_BASE_URL holds a user name or password.' })
      expect(JSON.stringify(await look())).not.toMatch(/someone|hidden-word/)
    },
  )

  it('names strange lines, unknown and repeated keys, and never a value', async () => {
    config('MEMU_DB=:memory:\nhidden-word\nMEMU_EMBED_PROVIDR=hidden-word\nMEMU_DB=:memory:\nOTHER=1\n')
    const diagnosis = await look()
    const text = of(diagnosis, 'configuration').map(({ what, next }) => `${what} ${next}`)
    expect(text).toEqual([
      expect.stringContaining('line 2'),
      expect.stringMatching(/MEMU_EMBED_PROVIDR.*Did you mean MEMU_EMBED_PROVIDER\?/),
      expect.stringContaining('MEMU_DB stands there more than once'),
    ])
    expect(formatDiagnosis(diagnosis, false)).not.toContain('hidden-word')
  })

  it('fails on a database that is not one', async () => {
    config('MEMU_DB=~/.memu/memory.db\n')
    fs.writeFileSync(join(home, '.memu', 'memory.db'), 'not a database at all '.repeat(500), { mode: 0o600 })
    const diagnosis = await look()
    expect(diagnosis.level).toBe('fail')
    expect(of(diagnosis, 'store')).toMatchObject([{ level: 'fail', what: expect.stringContaining('memory.db') }])
  })

  it('fails where the store belongs to another embedding space, and names both and the command', async () => {
    config('MEMU_DB=~/.memu/memory.db\n')
    await remembered()
    const server = await embeddingServer()
    config(`MEMU_DB=~/.memu/memory.db\nMEMU_EMBED_PROVIDER=openai-compatible\nMEMU_EMBED_MODEL=m\nMEMU_BASE_URL=${server.url}\n`)
    const diagnosis = await look()
    await server.close()
    expect(of(diagnosis, 'embedding')).toMatchObject([
      {
        level: 'fail',
        what: expect.stringMatching(/local memu-words.*openai-compatible m/),
        next: expect.stringContaining('memu reindex'),
      },
    ])
    expect(of(diagnosis, 'search')).toMatchObject([{ level: 'warn' }])
    expect(of(diagnosis, 'network')[0]!.what).toContain('on this machine')
  })

  it('fails where the provider refuses the key, without showing it', async () => {
    const server = await jsonServer(() => ({ status: 401, body: 'no: sk-hidden-word' }))
    config(`MEMU_DB=:memory:\nMEMU_EMBED_PROVIDER=openai\nMEMU_API_KEY=sk-hidden-word\nMEMU_BASE_URL=${server.url}\n`)
    const diagnosis = await look()
    await server.close()
    expect(of(diagnosis, 'embedding')).toMatchObject([
      { level: 'fail', what: expect.stringContaining('401'), next: expect.stringContaining('MEMU_API_KEY') },
    ])
    expect(JSON.stringify(diagnosis)).not.toContain('hidden-word')
  })

  it('fails on a proxy that cannot be used, without its password', async () => {
    config(
      'MEMU_DB=:memory:\nMEMU_EMBED_PROVIDER=jina\nMEMU_API_KEY=k\nMEMU_BASE_URL=http://models.example\nMEMU_HTTP_PROXY=socks5://me:hidden-word@proxy:1\n',
    )
    const diagnosis = await look()
    expect(of(diagnosis, 'network')).toMatchObject([
      { level: 'fail', what: expect.stringContaining('proxy:1'), next: expect.stringContaining('NO_PROXY') },
    ])
    expect(JSON.stringify(diagnosis)).not.toContain('hidden-word')
  })

  it('warns of a host without sessions, unless another one is used', async () => {
    config('MEMU_DB=:memory:\n')
    expect(of(await look(), 'sessions')).toMatchObject([{ level: 'warn', next: expect.stringContaining('--session-dir') }])
    session()
    expect(of(await look(LEARNED, [claudeCode, codex]), 'sessions')).toMatchObject([
      { level: 'ok', what: expect.stringContaining('Claude Code: 1') },
    ])
  })

  it('says one thing of all hosts together where none is used, and nothing of those that are not', async () => {
    config('MEMU_DB=:memory:\n')
    const none = await look(LEARNED, [...hostSpecs])
    expect(of(none, 'sessions')).toMatchObject([{ level: 'warn', next: expect.stringContaining('memu-agent detect') }])
    expect(of(none, 'learning')).toEqual([])
    session()
    const one = await look(LEARNED, [...hostSpecs])
    expect([...of(one, 'sessions'), ...of(one, 'learning')].map(({ what }) => what.split(':')[0])).toEqual(['Claude Code', 'Claude Code'])
  })

  it('names for an empty store the programs of the hosts that are used, and no other', async () => {
    config('MEMU_DB=:memory:\n')
    const next = async () => of(await look(LEARNED, [...hostSpecs]), 'store')[0]?.next
    expect(await next()).toBe('the command that memu-agent detect prints fills it from your sessions.')
    session()
    expect(await next()).toBe('memu-claude-code bridge fills it from your sessions.')
  })

  it('is not content with a log that holds no session', async () => {
    config('MEMU_DB=:memory:\n')
    fs.mkdirSync(join(home, '.codex', 'sessions'), { recursive: true })
    expect(of(await look(LEARNED, [codex]), 'sessions')).toMatchObject([{ level: 'warn', what: expect.stringContaining('no session in') }])
  })

  it('says of a log whose place only the user knows how it is found', async () => {
    config('MEMU_DB=:memory:\n')
    expect(of(await look(LEARNED, [agent]), 'sessions')).toMatchObject([
      { level: 'ok', what: expect.stringContaining('memu-agent detect') },
    ])
  })

  it('lets no host whose log cannot be looked at hide the others', async () => {
    config('MEMU_DB=:memory:\n')
    session()
    const broken: HostSpec = {
      ...codex,
      source: async (directory, from) => ({
        ...(await codex.source(directory, from)),
        exists: () => true,
        discover: () => {
          throw new MemuError('session_unreadable', 'The database is damaged.', { hint: 'Repair it.' })
        },
      }),
    }
    expect(of(await look(LEARNED, [broken, claudeCode]), 'sessions')).toMatchObject([
      { level: 'warn', what: expect.stringContaining('damaged'), next: 'Repair it.' },
      { level: 'ok', what: expect.stringContaining('Claude Code: 1') },
    ])
  })

  it.each<[string, BridgingFacts, Finding['level'], string]>([
    ['nothing was ever learned', {}, 'warn', 'memu-claude-code bridge'],
    ['the last run is long ago', { lastSuccess: '2026-02-10T12:00:00.000Z' }, 'warn', '28 days'],
    ['the last run failed', { ...LEARNED, lastFailure: { at: '2026-03-10T04:00:00.000Z', reason: 'no model' } }, 'warn', 'no model'],
    ['a run was never committed', { open: { since: '2026-03-10T04:00:00.000Z' } }, 'warn', 'memu-claude-code commit'],
    ['a run is at work', { running: 'bridge, process 7' }, 'ok', 'process 7'],
    ['runs went through that found no session', { ...LEARNED, isEmpty: true }, 'warn', 'nothing was learned'],
    ['all is well', LEARNED, 'ok', '2026-03-10 03:00'],
  ])('judges the learning where %s', async (_name, facts, level, words) => {
    config('MEMU_DB=:memory:\n')
    session()
    const [finding] = of(await look(facts), 'learning')
    expect(finding).toMatchObject({ level })
    expect(`${finding!.what} ${finding!.next}`).toContain(words)
  })
})

describe('the output of doctor', () => {
  const diagnosis: Diagnosis = {
    level: 'fail',
    findings: [
      { check: 'mode', level: 'ok', what: 'local.' },
      { check: 'configuration', level: 'fail', what: 'It is gone.', next: 'memu doctor' },
    ],
  }

  it('puts the next step under what is not well, and says how it stands at the end', () => {
    expect(formatDiagnosis(diagnosis, false)).toBe(
      'ok    mode           local.\nFAIL  configuration  It is gone.\n                     → memu doctor\n\nIt does not work: begin with the first FAIL (1 in all).\n',
    )
  })

  it('lets no control character of a path or an error reach the terminal', () => {
    const finding = { check: 'store', level: 'fail' as const, what: '/x\u001b[2J\nok is bad', next: 'rm \u0007y' }
    const text = formatDiagnosis({ level: 'fail', findings: [finding] }, false)
    expect(text).toContain('FAIL  store  /x [2J ok is bad\n             → rm y\n')
  })

  it('is coloured only where it is asked to be', () => {
    expect(formatDiagnosis(diagnosis, true)).toContain('\u001b[31mFAIL\u001b[0m')
    expect(formatDiagnosis(diagnosis, false)).not.toContain('\u001b')
  })
})
