import { join } from 'node:path'
import { cola } from '../../src/hosts/cola/spec.ts'
import { realSystem } from '../../src/util/system.ts'
import { fromLines } from '../contract/host-log-lines.ts'
import type { SourceFixture } from '../contract/transcript-source.ts'
import { time } from './claude-code-lines.ts'
import { entryLines, header } from './pi-lines.ts'

const system = { ...realSystem(), now: () => new Date('2026-10-01T00:00:00Z') }

export const colaLines: SourceFixture = {
  ...entryLines,
  name: 'Cola',
  open: (directory) => cola.source(directory, system),
  path: (directory, session) => join(directory, 'desktop%3Alocal', `2026-09-01T08:00:00.000Z_${session}.jsonl`),
}

/** A copied transcript has a header of its own, and the entries of the other. */
function fork([, ...entries]: readonly string[], _: string, to: string, number: number): string[] {
  return [header(to, { timestamp: time(number) }), ...entries]
}

export const colaLog = fromLines(cola, colaLines, { sharesParser: true }, { fork })
