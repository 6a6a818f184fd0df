export { defaultRuntime, runtimeNames, type RuntimeName } from './runtimes.ts'
