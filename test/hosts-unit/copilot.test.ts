import { hostContract } from '../contract/host.ts'
import { transcriptSourceContract } from '../contract/transcript-source.ts'
import { copilotLog, flatLines } from './copilot-log.ts'

transcriptSourceContract(flatLines)
hostContract(copilotLog)
