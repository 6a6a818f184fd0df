import { describeStandby } from './support/describe-standby.ts'
import { agentrt, pi } from './support/dialects.ts'

describeStandby(pi, agentrt.missing === null ? 'agentrt' : null, '127.41.0.15')
