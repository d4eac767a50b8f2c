import { hostContract } from '../contract/host.ts'
import { transcriptSourceContract } from '../contract/transcript-source.ts'
import { agentLog, agentShapes, shapes } from './agent-log.ts'

for (const shape of shapes) transcriptSourceContract(shape)
for (const log of [agentLog, ...agentShapes]) hostContract(log)
