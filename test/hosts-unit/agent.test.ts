import { hostContract } from '../contract/host.ts'
import { transcriptSourceContract } from '../contract/transcript-source.ts'
import { agentLog, shapes } from './agent-log.ts'

for (const shape of shapes) transcriptSourceContract(shape)
hostContract(agentLog)
