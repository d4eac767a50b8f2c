import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { humanText } from '../../src/hosts/openclaw/human-text.ts'
import { jobOf, owners, type Relative } from '../../src/hosts/openclaw/lineage.ts'
import { openclaw } from '../../src/hosts/openclaw/spec.ts'
import { realSystem } from '../../src/util/system.ts'

describe('what a person wrote to OpenClaw', () => {
  const json = '```json\n{"channel": "telegram"}\n```'

  it.each([
    ['as it is', 'deploy on Friday', 'deploy on Friday'],
    ['behind a time', '[Tue 2026-09-01 10:00 GMT+2] deploy on Friday', 'deploy on Friday'],
    ['behind headings with JSON', `Conversation info: ⟦openclaw:ctx⟧\n${json}\n\nSender: ⟦openclaw:ctx⟧\n${json}\n\ndeploy`, 'deploy'],
    [
      'behind headings of older versions',
      `Conversation info (untrusted metadata):\n${json}\n\n[Tue 2026-09-01 10:00 UTC] deploy`,
      'deploy',
    ],
    ['behind what was said before', 'Chat history since last reply (untrusted, for context):\nann: hi\nbob: ho\n\ndeploy', 'deploy'],
    ['before what else was said', 'deploy\n\nContext: ⟦openclaw:ctx⟧\nann: hi', 'deploy'],
    ['behind events of the program', 'System: [2026-09-01 10:00] Exec finished\nSystem (untrusted): [10:01] x\n\ndeploy', 'deploy'],
    ['behind the way of delivery', 'Delivery: to send a message, use the `message` tool.\n\ndeploy', 'deploy'],
    ['around context of the program', '<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nx\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\ndeploy', 'deploy'],
    ['as the instruction of a job', '[cron:4f2 rent] remind me about rent', 'remind me about rent'],
    ['in brackets', '[Tuesday] is a bad day', '[Tuesday] is a bad day'],
    ['about such headings', 'what is "Sender (untrusted metadata):" for?', 'what is "Sender (untrusted metadata):" for?'],
    [
      'under a heading without an end',
      `Sender (untrusted metadata):\n\`\`\`json\n{"a": 1}`,
      `Sender (untrusted metadata):\n\`\`\`json\n{"a": 1}`,
    ],
    ['in many lines', 'one\n\nSender (untrusted metadata):\ntwo\n\nthree', 'one\n\nSender (untrusted metadata):\ntwo\n\nthree'],
  ])('%s', (_, text, own) => {
    expect(humanText(text)).toBe(own)
  })

  it('is found in linear time', () => {
    const long = 'Sender (untrusted metadata):\n'.repeat(20_000)
    expect(humanText(long)).toBe(long.trim())
    expect(humanText('[Tue 2026-09-01 10:00 '.repeat(20_000))).not.toBe('')
  })
})

describe('whose an OpenClaw session is', () => {
  const session = (id: string, key: string, created: number, spawnedBy?: string): Relative => ({
    id: `main/${id}`,
    agent: 'main',
    session: id,
    key,
    created,
    ...(spawnedBy === undefined ? {} : { spawnedBy }),
  })

  it('its own, but for a subagent that of the session that spawned it, through any number of subagents', () => {
    const all = [
      session('old', 'agent:main:main', 10),
      session('new', 'agent:main:main', 30),
      session('child', 'agent:main:subagent:1', 20, 'agent:main:main'),
      session('grandchild', 'agent:main:subagent:2', 25, 'agent:main:subagent:1'),
      session('later', 'agent:main:subagent:3', 40, 'agent:main:main'),
    ]
    const ownerOf = owners(all)
    expect(all.map(ownerOf)).toEqual(['main/old', 'main/new', 'main/old', 'main/old', 'main/new'])
  })

  it('nobody’s where the spawner is gone or not named, and never its own then', () => {
    const all = [
      session('a', 'agent:main:subagent:1', 1, 'agent:main:gone'),
      session('b', 'agent:main:subagent:2', 2),
      session('c', 'agent:main:subagent:3', 3, 'agent:ops:cron:j1:run:s9'),
    ]
    const ownerOf = owners(all)
    expect(all.map(ownerOf)).toEqual(['main/agent:main:gone', 'main/agent:main:subagent:2', 'ops/s9'])
  })

  it('ends where subagents spawned each other', () => {
    const all = [
      session('a', 'agent:main:subagent:1', 1, 'agent:main:subagent:2'),
      session('b', 'agent:main:subagent:2', 2, 'agent:main:subagent:1'),
    ]
    const ownerOf = owners(all)
    for (const one of all) expect(ownerOf(one)).toMatch(/^main\//)
  })

  it('a job’s only under the key that such runs have, with the session’s own id, whichever agent it names', () => {
    expect(jobOf('agent:main:cron:j1:run:s1', 's1')).toBe('j1')
    expect(jobOf('agent:other:cron:j1:run:S1', 's1')).toBe('j1')
    for (const key of [
      'agent:main:cron:j1:run:s2',
      'agent:main:cron:j1',
      'cron:j1:run:s1',
      'agent:main:telegram:cron:j1:run:s1',
      'agent:main:cron:j1:run:s1:thread:2',
      'agent:main:main',
      '',
    ]) {
      expect(jobOf(key, 's1'), key).toBeUndefined()
    }
  })
})

describe('where OpenClaw keeps its state', () => {
  it('is what the environment says, else the home, under its present or an earlier name', () => {
    const root = fs.mkdtempSync(join(tmpdir(), 'memu-openclaw-'))
    const at = (env: Record<string, string> = {}): string | undefined => openclaw.sessionDir({ ...realSystem(), home: root, env })
    try {
      expect(at()).toBe(join(root, '.openclaw', 'agents'))
      expect(at({ OPENCLAW_HOME: '/srv' })).toBe(join('/srv', '.openclaw', 'agents'))
      expect(at({ OPENCLAW_PROFILE: 'work' })).toBe(join(root, '.openclaw-work', 'agents'))
      expect(at({ OPENCLAW_PROFILE: 'default' })).toBe(join(root, '.openclaw', 'agents'))
      expect(at({ OPENCLAW_PROFILE: '../x' })).toBe(join(root, '.openclaw', 'agents'))
      expect(at({ OPENCLAW_STATE_DIR: '~/state', OPENCLAW_PROFILE: 'work' })).toBe(join(root, 'state', 'agents'))
      fs.mkdirSync(join(root, '.moltbot'))
      expect(at()).toBe(join(root, '.moltbot', 'agents'))
      fs.mkdirSync(join(root, '.openclaw'))
      expect(at()).toBe(join(root, '.openclaw', 'agents'))
    } finally {
      fs.rmSync(root, { recursive: true })
    }
  })
})
