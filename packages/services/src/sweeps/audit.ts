import { type BaseContext, recordAuditFor } from '@svc/context'
import { audit } from '@svc/db'

const pruner = {
  actor: { type: 'system', id: 'retention', on_behalf_of: null },
  session_id: null,
  request_id: null,
  ip: null,
} as const

/** The oldest events of each account's chain go. That they went is an event of the chain itself. */
export async function pruneAudit(
  ctx: Pick<BaseContext, 'db' | 'now' | 'newId'>,
  before: Date,
  limit: number,
): Promise<number> {
  let removed = 0
  for (const { account_id, ...anchor } of await audit.listPrunable(ctx.db, before, limit)) {
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
