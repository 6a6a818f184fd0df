import { settled } from '@svc/timing'
import type { Backend } from './backend.ts'
import { type JobName, type JobPayload, parseJob, type QueueName } from './jobs.ts'
import { type Cause, openCause } from './cause.ts'
import type { Worker } from './create-queue.ts'
import type { QueueLog } from './log.ts'

/** The facts that a handler may know of its job besides the payload. */
export interface JobRun {
  readonly job_id: string
  readonly queue: QueueName
  readonly name: string
  /** The attempt, counted from 1. */
  readonly attempt: number
  readonly cause: Cause
  /** Aborted when the worker is closing and has waited long enough. */
  readonly signal: AbortSignal
}

/** Handlers may run twice for one row, even at the same time, and end in the same place. */
export type Handlers<Q extends QueueName> = {
  readonly [N in JobName<Q>]: (payload: JobPayload<Q, N>, job: JobRun) => Promise<unknown>
}

/** The fields of every line of a job. */
export function jobFacts({ cause, name, job_id, attempt }: Omit<JobRun, 'queue' | 'signal'>) {
  return { request_id: cause.request_id, job: name, job_id, attempt }
}

/** A job that succeeded. */
export interface DoneJob {
  readonly queue: QueueName
  readonly name: string
  readonly ids: Readonly<Record<string, string>>
  readonly attempt: number
}

export interface FailedJob extends DoneJob {
  readonly job_id: string
  readonly cause: Cause
  /** No attempt is left: the row waits for the next sweep. */
  readonly final: boolean
}

/** One attempt at a job that came to its end. */
export interface EndedJob {
  readonly queue: QueueName
  readonly name: string
  readonly outcome: 'done' | 'failed'
  readonly seconds: number
}

export interface WorkOptions {
  readonly concurrency: number
  readonly on_end?: (job: EndedJob) => void
  /** A job was given out again whose worker gave no sign of life. */
  readonly on_stalled?: () => void
  readonly on_error: (error: Error, job: FailedJob) => void
  readonly on_done?: (job: DoneJob) => void
  /** No more of the others comes; closing waits for it, for a moment. */
  readonly on_closed?: () => Promise<unknown>
}

export interface WorkTimes {
  /** Time that a job of a dead worker stays with it. */
  readonly lock_ms: number
  /** Time that closing waits for jobs that run. */
  readonly drain_ms: number
}

export function startWorker<Q extends QueueName>(
  backend: Backend,
  queue: Q,
  handlers: Handlers<Q>,
  options: WorkOptions,
  times: WorkTimes,
  log: QueueLog,
  on_fault: (error: unknown, message: string) => void,
): Worker {
  const running = new Set<Promise<unknown>>()
  const runner = backend.openRunner(
    queue,
    async (job, _token, signal) => {
      const ids = parseJob(queue, job.name, job.data)
      const attempt = job.attemptsMade + 1
      // BullMQ makes a signal for a processor of three parameters, which this one has to stay.
      const cause = openCause(job.opts.telemetry?.metadata)
      const context = {
        job_id: job.id ?? '',
        queue,
        name: job.name,
        attempt,
        cause,
        signal: signal ?? neverAborted,
      }
      const began = performance.now()
      const work = handlerOf(handlers, job.name)(ids, context)
      running.add(work)
      let outcome: EndedJob['outcome'] = 'failed'
      try {
        await work
        outcome = 'done'
        options.on_done?.({ queue, name: job.name, ids, attempt })
        const duration_ms = Math.round(performance.now() - began)
        // A look that comes every few seconds is not worth a line.
        const level = job.name.endsWith('.check') ? 'debug' : 'info'
        log[level]({ queue, ...jobFacts(context), ...ids, duration_ms }, 'job')
      } finally {
        running.delete(work)
        options.on_end?.({ queue, name: job.name, outcome, seconds: (performance.now() - began) / 1000 })
      }
    },
    {
      concurrency: options.concurrency,
      lockDuration: times.lock_ms,
      stalledInterval: Math.ceil(times.lock_ms / 3),
      // A worker that dies has nothing to do with its jobs: they are given out again, and again.
      maxStalledCount: 20,
      runRetryDelay: 1_000,
    },
  )
  runner.on('error', (error) => on_fault(error, 'The worker reports an error'))
  runner.on('stalled', (job_id) => {
    options.on_stalled?.()
    log.warn({ queue, job_id }, 'A job of a worker that died is given out again')
  })
  runner.on('failed', (job, error) => {
    if (!job) return
    const { id = '', name, attemptsMade, opts } = job
    const final = attemptsMade >= (opts.attempts ?? 1)
    const cause = openCause(opts.telemetry?.metadata)
    const ids = idsOf(queue, name, job.data)
    options.on_error(error, { job_id: id, queue, name, ids, attempt: attemptsMade, cause, final })
  })

  let closing: Promise<void> | undefined
  const close = async (force?: AbortSignal) => {
    const closed = runner.close()
    // A store that is away keeps BullMQ from ending, but nothing has to be waited for when no job runs.
    const ended = () => Promise.allSettled(running).then(() => settled(1_000, closed))
    await settled(times.drain_ms, ended(), force)
    if (running.size > 0) {
      log.warn({ queue, jobs: running.size }, 'Jobs are still running: they are asked to end')
      runner.cancelAllJobs('The worker is closing')
      await settled(1_000, ended())
    }
    if (await settled(0, closed)) return
    if (running.size > 0)
      log.warn({ queue, jobs: running.size }, 'Jobs are left behind: another worker takes them up')
    await settled(1_000, runner.disconnect())
  }
  return {
    pause: () => runner.pause(true),
    resume: () => runner.resume(),
    close: (force) =>
      (closing ??= close(force).then(async () => {
        await settled(1_000, Promise.resolve(options.on_closed?.()))
      })),
  }
}

const neverAborted = new AbortController().signal

/** The payload was parsed with the schema of the same name, which is what the handler's type asks for. */
function handlerOf<Q extends QueueName>(handlers: Handlers<Q>, name: string) {
  type AnyHandler = (ids: Readonly<Record<string, string>>, job: JobRun) => Promise<unknown>
  const byName = handlers as unknown as Readonly<Record<string, AnyHandler | undefined>>
  const handler = byName[name]
  if (!handler) throw new Error(`No handler for the job ${name}`)
  return handler
}

/** The ids of a job that failed, which may be because it has none. */
function idsOf(queue: QueueName, name: string, data: unknown): Readonly<Record<string, string>> {
  try {
    return parseJob(queue, name, data)
  } catch {
    return {}
  }
}
