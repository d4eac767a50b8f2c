import { join } from 'node:path'
import { pi } from '../../src/hosts/pi/spec.ts'
import { realSystem } from '../../src/util/system.ts'
import { fromLines } from '../contract/host-log-lines.ts'
import type { SourceFixture } from '../contract/transcript-source.ts'
import { time } from './claude-code-lines.ts'
import { entryLines, header } from './pi-lines.ts'

const system = { ...realSystem(), now: () => new Date('2026-10-01T00:00:00Z') }

export const piLines: SourceFixture = {
  ...entryLines,
  name: 'pi',
  open: (directory) => pi.source(directory, system),
  path: (directory, session) => join(directory, '--home-u-shop--', `2026-09-01T08-00-00-000Z_${session}.jsonl`),
}

/** A fork has a header of its own that names the file of the other, and the other's entries. */
function fork([, ...entries]: readonly string[], from: string, to: string, number: number): string[] {
  return [header(to, { timestamp: time(number), parentSession: `/home/u/old/2026-09-01T08-00-00-000Z_${from}.jsonl` }), ...entries]
}

export const piLog = fromLines(pi, piLines, {}, { fork })
