import { decodeCursor, recordOperatorAudit, requirePlatformAdmin } from '@svc/context'
import { jobFailures } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { z } from 'zod'
import type { Changing, Looking } from '../context.ts'
import { type PageInput, pageOf } from '../page.ts'
import { enqueueAgain } from './enqueue-again.ts'

const Position = z.object({ failed_at: z.coerce.date(), failure_id: z.uuid() })

interface FailureQuery extends PageInput {
  readonly queue?: string | undefined
  readonly job?: string | undefined
}

/** Failures of jobs, the newest first; also those that a later success resolved. */
export async function listFailures(ctx: Looking, { queue, job, limit, cursor }: FailureQuery) {
  await requirePlatformAdmin(ctx)
  const after = cursor === undefined ? undefined : decodeCursor(Position, cursor)
  const rows = await jobFailures.list(ctx.db, { queue, job, after, limit: limit + 1 })
  const { page, next_cursor } = pageOf(rows, limit, ({ failed_at, failure_id }) => ({
    failed_at,
    failure_id,
  }))
  return { failures: page.map(({ row_id: _, ...failure }) => failure), next_cursor }
}

/** Asks for the same job again; its success resolves the failure. */
export async function retryFailure(ctx: Changing, { failure_id }: { readonly failure_id: string }) {
  await requirePlatformAdmin(ctx)
  const failure = await jobFailures.find(ctx.db, failure_id)
  if (!failure) throw new ServiceError('not_found', 'There is no such failure; list the failures again.')
  const { account_id, job, ids } = failure
  const target = `admin/failures/${failure_id}`
  const entry = { account_id, action: 'retryFailure', target, details: { job, ...ids } }
  await ctx.db.transaction().execute((tx) => recordOperatorAudit(ctx, tx, entry))
  await enqueueAgain(ctx, failure)
  return { failure_id }
}
