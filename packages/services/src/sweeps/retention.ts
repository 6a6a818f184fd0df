import { type BaseContext, recordAuditFor } from '@svc/context'
import { audit, secretAccesses } from '@svc/db'
import { z } from 'zod'

const days = z.coerce.number().int().min(0).max(36_500).default(0)

/** The variables of the process that removes what is older than the operator keeps. */
export const retentionEnv = {
  SVC_AUDIT_DAYS: days.describe('how long the audit log is kept; 0 for ever'),
  SVC_SECRET_ACCESS_DAYS: days.describe(
    'how long it is kept which sandbox was given which secrets; 0 for ever',
  ),
} as const

export type RetentionSettings = z.infer<z.ZodObject<typeof retentionEnv>>

const dayMs = 24 * 3_600_000
const batch = 5_000

/** Removes records that are older than they are kept; how many rows. */
export async function sweepOldRecords(
  ctx: Pick<BaseContext, 'db' | 'now' | 'newId'>,
  { SVC_AUDIT_DAYS, SVC_SECRET_ACCESS_DAYS }: RetentionSettings,
): Promise<number> {
  const before = (kept: number) => new Date(ctx.now().getTime() - kept * dayMs)
  const accesses =
    SVC_SECRET_ACCESS_DAYS === 0
      ? 0
      : await secretAccesses.removeOlder(ctx.db, before(SVC_SECRET_ACCESS_DAYS), batch)
  return accesses + (SVC_AUDIT_DAYS === 0 ? 0 : await pruneAudit(ctx, before(SVC_AUDIT_DAYS)))
}

const pruner = {
  actor: { type: 'system', id: 'retention', on_behalf_of: null },
  session_id: null,
  request_id: null,
  ip: null,
} as const

/** The oldest events of each account's chain go. That they went is an event of the chain itself. */
async function pruneAudit(ctx: Pick<BaseContext, 'db' | 'now' | 'newId'>, before: Date): Promise<number> {
  let removed = 0
  for (const { account_id, ...anchor } of await audit.listPrunable(ctx.db, before, batch)) {
    removed += await ctx.db.transaction().execute(async (tx) => {
      const events = await audit.prune(tx, { account_id, ...anchor })
      if (events === 0) return 0
      const details = { events, through_seq: anchor.seq, through_hash: anchor.hash }
      const target = `accounts/${account_id}/audit`
      await recordAuditFor(ctx, tx, pruner, { account_id, action: 'pruneAudit', target, details })
      return events
    })
  }
  return removed
}
