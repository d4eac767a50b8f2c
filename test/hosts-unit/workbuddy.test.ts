import { hostContract } from '../contract/host.ts'
import { transcriptSourceContract } from '../contract/transcript-source.ts'
import { workbuddyLines, workbuddyLog } from './workbuddy-log.ts'

transcriptSourceContract(workbuddyLines)
hostContract(workbuddyLog)
