import { maskSecrets } from '@svc/boot'
import type { BaseContext } from '@svc/context'
import { jobFailures } from '@svc/db'
import type { DoneJob, WorkOptions } from '@svc/queue'
import { logFailedJob } from './job-context.ts'

const maxError = 1_000

/** Logs failed jobs and keeps their rows, which the next success of the same job resolves. */
export function trackFailures(
  ctx: Pick<BaseContext, 'db' | 'now' | 'newId' | 'log'>,
): Pick<WorkOptions, 'on_error' | 'on_done'> {
  const keep = (work: Promise<void>) =>
    work.catch((err: unknown) => ctx.log.warn({ err }, 'The failures of a job were not brought up to date'))
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
      if (subject !== null) void keep(jobFailures.resolve(ctx.db, subject, ctx.now()))
    },
  }
}

/** Every job is about one row. */
function subjectOf({ queue, name, ids }: DoneJob) {
  const row_id = Object.values(ids)[0]
  return row_id === undefined ? null : { queue, job: name, row_id }
}

/** The first line: the output of a sandbox may follow it. */
function textOf(error: Error): string {
  const first = error.message.replaceAll('\0', '').split('\n')[0] ?? ''
  return maskSecrets(first.replace(/; it last said:$/, '')).slice(0, maxError) || error.name
}
