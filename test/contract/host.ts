/**
 * What every host must do, whatever its sessions are kept in. A host's tests call this with the fixture that writes its log
 * (`host-log.ts`); hosts of JSON lines run `transcriptSourceContract` too, hosts with a database `sqliteHostContract`.
 */
import { describe } from 'vitest'
import { findingContract } from './host/finding.ts'
import { forkingContract } from './host/forking.ts'
import { growingContract } from './host/growing.ts'
import { miningContract } from './host/mining.ts'
import { readingContract } from './host/reading.ts'
import type { HostLogFixture } from './host-log.ts'

export function hostContract(fixture: HostLogFixture): void {
  describe(`${fixture.name ?? fixture.spec.title}: the contract of a host`, () => {
    findingContract(fixture)
    readingContract(fixture)
    growingContract(fixture)
    forkingContract(fixture)
    miningContract(fixture)
  })
}
