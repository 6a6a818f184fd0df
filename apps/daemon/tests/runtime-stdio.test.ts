import { describeRuntime } from './support/describe-runtime.ts'
import { stdio } from './support/dialects.ts'

describeRuntime(stdio, '127.41.0.34')
