import { hostContract } from '../contract/host.ts'
import { transcriptSourceContract } from '../contract/transcript-source.ts'
import { qwenLines, qwenLog } from './qwen-log.ts'

transcriptSourceContract(qwenLines)
hostContract(qwenLog)
