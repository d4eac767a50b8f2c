import { hostContract } from '../contract/host.ts'
import { sqliteHostContract } from '../contract/host-sqlite.ts'
import { hermesLog } from './hermes-log.ts'

hostContract(hermesLog)
sqliteHostContract(hermesLog)
