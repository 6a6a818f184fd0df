import { recordOperatorAudit, requirePlatformAdmin } from '@svc/context'
import { maintenance, type MaintenanceRow } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { Changing, Looking } from '../context.ts'

export interface MaintenanceInput {
  readonly mode: MaintenanceRow['mode']
  readonly message?: string | undefined
  readonly retry_after_seconds: number
  readonly until?: string | undefined
}

export async function getMaintenance(ctx: Looking) {
  await requirePlatformAdmin(ctx)
  return readMaintenance(ctx)
}

export async function readMaintenance(ctx: Pick<Looking, 'db' | 'now'>) {
  return present(ctx, await maintenance.read(ctx.db))
}

/** Replaces the whole of it: what the request leaves out is as at the beginning. */
export async function setMaintenance(ctx: Changing, input: MaintenanceInput) {
  const { user_id } = await requirePlatformAdmin(ctx)
  const { mode, message = null, retry_after_seconds } = input
  const until = input.until === undefined ? null : new Date(input.until)
  if (until !== null && until <= ctx.now())
    throw new ServiceError('invalid_request', '`until` is over already; give a moment in the future.')
  const row = { mode, message, retry_after_seconds, until, changed_by: user_id, changed_at: ctx.now() }
  await ctx.db.transaction().execute(async (tx) => {
    await maintenance.replace(tx, row)
    const details = { mode, ...(until === null ? {} : { until: until.toISOString() }) }
    const entry = { account_id: null, action: 'setMaintenance', target: 'admin/maintenance', details }
    await recordOperatorAudit(ctx, tx, entry)
  })
  return present(ctx, row)
}

/** One whose end has come is over, whatever its row says. */
function present({ now }: Pick<Looking, 'now'>, { changed_by, changed_at, ...row }: MaintenanceRow) {
  const over = row.until !== null && row.until <= now()
  return { ...row, ...(over ? { mode: 'off' as const } : {}), by: changed_by, at: changed_at }
}
