/** One host's log against every other host: it may be taken for none of theirs, and is known for its own. */
import { describe, expect, it } from 'vitest'
import type { HostSpec } from '../../src/hosts/host-spec.ts'
import { hostSpecs } from '../../src/hosts/registry.ts'
import { foreignLog, hostOf } from '../../src/hosts/wrong-host.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import type { HostLogFixture, LogEvent } from './host-log.ts'
import { logName } from './host-logs.ts'

const EVENTS: readonly LogEvent[] = (['user', 'assistant', 'call', 'result', 'noise', 'user'] as const).map((kind, number) => ({
  kind,
  number: kind === 'result' ? number - 1 : number,
  text: `text ${number}`,
}))

/** Beside all hosts that there are, whether the fixture's is one of them or only could be. */
export function wrongHostContract(fixture: HostLogFixture): void {
  const { spec, line } = fixture
  const others: readonly HostSpec[] = hostSpecs.filter((other) => other.host !== spec.host)
  const hosts = [...others, spec]
  const written = (): string => {
    const log = fixture.open(temporaryFolder())
    log.append(fixture.id(1), EVENTS)
    log.close()
    return log.sessionDir
  }

  describe(`the log of ${logName(fixture)}`, () => {
    it('is not another host’s to its own program', () => {
      expect(foreignLog(spec, written(), hosts)).toBeUndefined()
    })

    it.each(others.filter((other) => other.isRecord !== undefined))('is never named another’s to $binary', (other) => {
      const found = foreignLog(other, written(), hosts)
      // Rows of a database are no lines that could be told. Hosts that share one format read each other’s: nothing is wrong there.
      if (fixture.databases !== undefined || other.isRecord === spec.isRecord) return expect(found).toBeUndefined()
      expect(found).toBeDefined()
      expect([spec.host, undefined]).toContain(found?.of?.host)
    })

    if (line === undefined || spec.isRecord === undefined) return
    it('is known by its records where no other host shares its format', () => {
      const records = EVENTS.map((event) => JSON.parse(line(fixture.id(1), event)) as Record<string, unknown>)
      const shared = others.some((other) => other.isRecord === spec.isRecord)
      expect(hostOf(records, hosts)?.host).toBe(shared ? undefined : spec.host)
    })
  })
}
