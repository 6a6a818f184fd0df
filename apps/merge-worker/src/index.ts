export { type MergeWorker, startMergeWorker } from './start.ts'
export { Env as mergeWorkerSettings } from './env.ts'
