import { describeRuntime } from './support/describe-runtime.ts'
import { acpAgent } from './support/dialects.ts'

describeRuntime(acpAgent({}), '127.41.0.71')
