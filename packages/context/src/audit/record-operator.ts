import { type AuditAsker, type Db, platformAudit } from '@svc/db'
import type { BaseContext, Context } from '../context.ts'
import { askerOf } from './asker.ts'
import { type AuditEntry, eventOf, recordAuditFor } from './record.ts'

/** A change on the operator's surface; `account_id` is the account that it concerns, where there is one. */
export type OperatorEntry = Omit<AuditEntry, 'account_id'> & { readonly account_id: string | null }

/**
 * Appends to the platform's chain, and to that of the account which is concerned. Comes last in a transaction. The
 * platform's chain is always taken first, so that two transactions never wait for each other.
 */
export async function recordOperatorAudit(
  ctx: Pick<Context, 'principal' | 'now' | 'newId' | 'trail'>,
  db: Db,
  entry: OperatorEntry,
): Promise<void> {
  const asker = askerOf(ctx)
  await recordPlatformAudit(ctx, db, asker, entry)
  const { account_id } = entry
  if (account_id === null) return
  const details = { ...entry.details, by_operator: true }
  await recordAuditFor(ctx, db, asker, { ...entry, account_id, details })
}

/** Appends to the platform's chain alone. */
export async function recordPlatformAudit(
  ctx: Pick<BaseContext, 'now' | 'newId'>,
  db: Db,
  asker: AuditAsker,
  entry: OperatorEntry,
): Promise<void> {
  const { row, text } = eventOf(ctx, asker, entry)
  await platformAudit.append(db, row, text)
}
