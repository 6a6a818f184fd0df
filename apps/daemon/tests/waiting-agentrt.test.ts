import { describeWaitingRuntime } from './support/describe-waiting-runtime.ts'
import { agentrt } from './support/dialects.ts'

describeWaitingRuntime(agentrt, null, '127.41.0.14')
