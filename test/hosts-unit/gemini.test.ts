import { hostContract } from '../contract/host.ts'
import { transcriptSourceContract } from '../contract/transcript-source.ts'
import { geminiLines, geminiLog } from './gemini-log.ts'

transcriptSourceContract(geminiLines)
hostContract(geminiLog)
