import { describeStandby } from './support/describe-standby.ts'
import { agentrt } from './support/dialects.ts'

describeStandby(agentrt, null, '127.41.0.14')
