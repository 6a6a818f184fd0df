export { type MergeWorker, startMergeWorker } from './start.ts'
