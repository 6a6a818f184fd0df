import { maskSecrets } from '@svc/boot'
import type { BaseContext } from '@svc/context'
import { jobFailures } from '@svc/db'
import type { DoneJob, WorkOptions } from '@svc/queue'
import { logFailedJob } from './job-context.ts'

const maxError = 1_000
/** Successes wait for as long, and one statement is for all of them. */
const batchMs = 1_000

/**
 * Logs failed jobs and keeps their rows, which the next success of the same job resolves. Any process may have seen the
 * failure, so that every success is reported: at once where this job failed before, else with those of the same second,
 * and before the worker is closed.
 */
export function trackFailures(
  ctx: Pick<BaseContext, 'db' | 'now' | 'newId' | 'log'>,
): Pick<WorkOptions, 'on_error' | 'on_done' | 'on_closed'> {
  const keep = (work: Promise<void>) =>
    work.catch((err: unknown) => ctx.log.warn({ err }, 'The failures of a job were not brought up to date'))
  const successes = new Map<string, jobFailures.JobSuccess>()
  let timer: NodeJS.Timeout | undefined
  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    if (successes.size === 0) return
    const reported = [...successes.values()]
    successes.clear()
    await keep(jobFailures.resolve(ctx.db, reported))
  }
  return {
    on_error(error, job) {
      logFailedJob(ctx.log, error, job)
      const subject = subjectOf(job)
      if (subject === null) return
      const { request_id } = job.cause
      const failure = { failure_id: ctx.newId(), ids: job.ids, error: textOf(error), failed_at: ctx.now() }
      void keep(jobFailures.record(ctx.db, { ...subject, ...failure, request_id }))
    },
    on_done(job) {
      const subject = subjectOf(job)
      if (subject === null) return
      successes.set(`${job.queue}/${job.name}/${subject.row_id}`, { ...subject, at: ctx.now() })
      if (job.attempt > 1) void flush()
      else timer ??= setTimeout(() => void flush(), batchMs).unref()
    },
    on_closed: flush,
  }
}

/** Every job is about one row. */
function subjectOf({ queue, name, ids }: Pick<DoneJob, 'queue' | 'name' | 'ids'>) {
  const row_id = Object.values(ids)[0]
  return row_id === undefined ? null : { queue, job: name, row_id }
}

/** The first line: the output of a sandbox may follow it. */
function textOf(error: Error): string {
  const first = error.message.replaceAll('\0', '').split('\n')[0] ?? ''
  return maskSecrets(first.replace(/; it last said:$/, '')).slice(0, maxError) || error.name
}
