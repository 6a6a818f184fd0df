import { describeRuntime } from './support/describe-runtime.ts'
import { pi } from './support/dialects.ts'

describeRuntime(pi, '127.41.0.5')
