import { hostContract } from '../contract/host.ts'
import { sqliteHostContract } from '../contract/host-sqlite.ts'
import { cursorEditorLog } from './cursor-editor-log.ts'

hostContract(cursorEditorLog)
sqliteHostContract(cursorEditorLog)
