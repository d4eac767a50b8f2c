import { hostContract } from '../contract/host.ts'
import { sqliteHostContract } from '../contract/host-sqlite.ts'
import { opencodeLog } from './opencode-log.ts'

hostContract(opencodeLog)
sqliteHostContract(opencodeLog)
