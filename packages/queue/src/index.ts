export { type Cause, causedBy, sweepCause } from './cause.ts'
export { createQueue, type JobQueue, type QueueOptions, type Worker } from './create-queue.ts'
export { type JobName, type JobPayload, parseJob, type QueueName, queues } from './jobs.ts'
export type { QueueLog } from './log.ts'
export { jobsSchema, migrateQueue } from './postgres-backend.ts'
export { type Message, openPubSub, type PubSub } from './pub-sub.ts'
export { queueConnections } from './shared-pool.ts'
export type { Enqueue, EnqueueOptions, QueueDepth } from './producer.ts'
export {
  type DoneJob,
  type EndedJob,
  type FailedJob,
  type Handlers,
  jobFacts,
  type JobRun,
  type WorkOptions,
} from './worker.ts'
