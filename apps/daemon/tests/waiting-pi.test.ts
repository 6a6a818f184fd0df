import { describeWaitingRuntime } from './support/describe-waiting-runtime.ts'
import { agentrt, pi } from './support/dialects.ts'

describeWaitingRuntime(pi, agentrt.missing === null ? 'agentrt' : null, '127.41.0.15')
