import { join } from 'node:path'
import { cola } from '../../src/hosts/cola/spec.ts'
import { realSystem } from '../../src/util/system.ts'
import { fromLines } from '../contract/host-log-lines.ts'
import type { SourceFixture } from '../contract/transcript-source.ts'
import { entryLines } from './pi-lines.ts'

const system = { ...realSystem(), now: () => new Date('2026-10-01T00:00:00Z') }

export const colaLines: SourceFixture = {
  ...entryLines,
  name: 'Cola',
  open: (directory) => cola.source(directory, system),
  path: (directory, session) => join(directory, 'desktop%3Alocal', `2026-09-01T08:00:00.000Z_${session}.jsonl`),
}

export const colaLog = fromLines(cola, colaLines)
