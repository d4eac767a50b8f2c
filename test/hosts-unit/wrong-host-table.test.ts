/** Every host's log against every other host: none may be taken for another's, and each for its own. */
import { describe, expect, it } from 'vitest'
import { hostSpecs } from '../../src/hosts/registry.ts'
import { foreignLog, hostOf } from '../../src/hosts/wrong-host.ts'
import type { LogEvent } from '../contract/host-log.ts'
import { hostLogs, logName } from '../contract/host-logs.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

const logs = await hostLogs()

const EVENTS: readonly LogEvent[] = (['user', 'assistant', 'call', 'result', 'noise', 'user'] as const).map((kind, number) => ({
  kind,
  number: kind === 'result' ? number - 1 : number,
  text: `text ${number}`,
}))

describe.each(logs.map((fixture) => ({ name: logName(fixture), fixture })))('the log of $name', ({ fixture }) => {
  const { spec } = fixture
  const written = (): string => {
    const log = fixture.open(temporaryFolder())
    log.append(fixture.id(1), EVENTS)
    log.close()
    return log.sessionDir
  }

  it('is not another host’s to its own program', () => {
    expect(foreignLog(spec, written())).toBeUndefined()
  })

  it.each(hostSpecs.filter((other) => other.host !== spec.host && other.isRecord !== undefined))(
    'is never named another’s to $binary',
    (other) => {
      const found = foreignLog(other, written())
      // Rows of a database are no lines that could be told. Hosts that share one format read each other’s: nothing is wrong there.
      if (fixture.databases !== undefined || other.isRecord === spec.isRecord) return expect(found).toBeUndefined()
      expect(found).toBeDefined()
      expect([spec.host, undefined]).toContain(found?.of?.host)
    },
  )

  const { line } = fixture
  if (line === undefined || spec.isRecord === undefined) return
  it('is known by its records where no other host shares its format', () => {
    const records = EVENTS.map((event) => JSON.parse(line(fixture.id(1), event)) as Record<string, unknown>)
    const shared = hostSpecs.some((other) => other.host !== spec.host && other.isRecord === spec.isRecord)
    expect(hostOf(records)?.host).toBe(shared ? undefined : spec.host)
  })
})
