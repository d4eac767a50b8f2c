import { hostContract } from '../contract/host.ts'
import { transcriptSourceContract } from '../contract/transcript-source.ts'
import { cursorLines, cursorLog } from './cursor-log.ts'

hostContract(cursorLog)
transcriptSourceContract(cursorLines)
