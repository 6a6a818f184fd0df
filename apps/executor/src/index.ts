export { Env as executorSettings } from './env.ts'
export { type RunningExecutor, startExecutor } from './start.ts'
