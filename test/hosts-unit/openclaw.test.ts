import { hostContract } from '../contract/host.ts'
import { sqliteHostContract } from '../contract/host-sqlite.ts'
import { transcriptSourceContract } from '../contract/transcript-source.ts'
import { openclawFiles, openclawLines, openclawLog } from './openclaw-log.ts'

transcriptSourceContract(openclawLines)
hostContract(openclawFiles)
for (const schema of [13, 14, 23] as const) {
  hostContract(openclawLog(schema))
  sqliteHostContract(openclawLog(schema))
}
