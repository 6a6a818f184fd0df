import { describeRuntime } from './support/describe-runtime.ts'
import { agentrt } from './support/dialects.ts'

describeRuntime(agentrt, '127.41.0.4')
