import { describe, expect, it } from 'vitest'
import { hostSpecs } from '../../src/hosts/registry.ts'
import type { HostLog, HostLogFixture } from '../contract/host-log.ts'
import { hostLogs, logName } from '../contract/host-logs.ts'
import { agentShapes } from '../hosts-unit/agent-log.ts'
import { type Damage, damagedRecords, fuzz, TIMEOUT } from './fuzz.ts'
import { mutateLine } from './mutate.ts'

const logs = [...(await hostLogs()), ...agentShapes]

describe('fuzzing the sessions of hosts', () => {
  it('leaves out no host', () => {
    const covered = new Set(logs.map(({ spec }) => spec.host))
    expect(hostSpecs.map(({ host }) => host).filter((host) => !covered.has(host))).toEqual([])
  })

  it.each(logs.filter(({ line }) => line !== undefined).map((log) => [logName(log), damagedRecords(log), log] as const))(
    '%s: %d damaged lines cost themselves alone',
    async (_, _records, fixture) => await fuzz(fixture, (log) => damagedLines(fixture, log)),
    TIMEOUT,
  )
})

function damagedLines({ line }: HostLogFixture, { appendRaw }: HostLog): Damage {
  if (line === undefined || appendRaw === undefined) throw new Error('the log is not made of lines')
  return {
    add(session, events, chance) {
      const lines = events.map((event) => line(session, event))
      appendRaw(
        session,
        lines.map((whole) => mutateLine(whole, lines, chance)),
      )
    },
    close() {},
  }
}
