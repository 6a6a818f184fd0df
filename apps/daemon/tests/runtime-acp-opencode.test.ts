import { describeRuntime } from './support/describe-runtime.ts'
import { opencodeAcp } from './support/dialects.ts'

describeRuntime(opencodeAcp, '127.41.0.72')
