import type { JobsOptions, Processor, WorkerListener } from 'bullmq'

/** The states that a job can be in for longer than a moment. */
export const jobStates = ['waiting', 'active', 'delayed'] as const
export type JobState = (typeof jobStates)[number]

/** The few things asked of a BullMQ Queue, over any storage of its jobs. */
export interface JobStore {
  waitUntilReady(): Promise<unknown>
  add(name: string, data: object, options: JobsOptions): Promise<unknown>
  on(event: 'error', listener: (error: Error) => void): unknown
  getJobCounts(...states: JobState[]): Promise<Record<string, number>>
  getJobs(state: JobState, start: number, end: number, asc: boolean): Promise<{ timestamp: number }[]>
  close(): Promise<unknown>
}

/** The few things asked of a BullMQ Worker. */
export interface JobRunner {
  on<E extends 'error' | 'failed' | 'stalled'>(event: E, listener: WorkerListener[E]): unknown
  cancelAllJobs(reason?: string): void
  /** Takes no more jobs; those that run go on. */
  pause(doNotWaitActive: boolean): Promise<void>
  resume(): void
  close(): Promise<unknown>
  disconnect(): Promise<unknown>
}

export interface RunnerOptions {
  readonly concurrency: number
  readonly lockDuration: number
  readonly stalledInterval: number
  readonly maxStalledCount: number
  readonly runRetryDelay: number
}

export interface Backend {
  openStore(queue: string): JobStore
  openRunner(queue: string, processor: Processor, options: RunnerOptions): JobRunner
  /** False when it is already known that a job could not be stored now. */
  isReady(): boolean
  ping(): Promise<void>
  close(): Promise<void>
}
