import { describe, expect, it } from 'vitest'
import { hostLogs, logName } from '../contract/host-logs.ts'
import { damagedRows } from './damaged-rows.ts'
import { damagedRecords, fuzz, TIMEOUT } from './fuzz.ts'

const logs = (await hostLogs()).filter(({ line }) => line === undefined)

describe('fuzzing the databases of hosts', () => {
  it.each(logs.map((log) => [logName(log), damagedRecords(log), log] as const))(
    '%s: %d damaged records cost themselves alone',
    { timeout: TIMEOUT },
    async (_, records, fixture) => {
      let changes = 0
      await fuzz(fixture, (log) => damagedRows(log, () => changes++))
      expect(changes).toBeGreaterThan(records / 2)
    },
  )
})
