import { createHash } from 'node:crypto'
import { type AuditLink, brokenLink } from '@svc/access'
import { audit } from '@svc/db'
import { requireAccount } from '../access/require.ts'
import type { Context } from '../context.ts'
import { presentEvent } from './read.ts'

const batch = 500

export interface AuditVerdict {
  readonly valid: boolean
  readonly events: number
  /** The hash of the last event that holds; keep it elsewhere to notice later that the end was cut off. */
  readonly head_hash: string
  readonly broken: { readonly seq: number; readonly event_id: string | null; readonly reason: string } | null
}

/** Walks the chain from its first event: a changed, removed or inserted one breaks it, and so does a lost end. */
export async function verifyAudit(
  ctx: Pick<Context, 'db' | 'principal' | 'signal'>,
  input: { account_id: string },
): Promise<AuditVerdict> {
  const { account_id } = input
  await requireAccount(ctx, account_id, 'admin', 'auditAccess')
  // The end is read first: what is appended meanwhile is behind it.
  const head = await audit.head(ctx.db, account_id)
  let last: AuditLink | null = null
  for (;;) {
    ctx.signal.throwIfAborted()
    const after: number = last?.seq ?? 0
    const rows = await audit.listChain(ctx.db, account_id, { after, limit: batch })
    for (const row of rows) {
      const reason = brokenLink(last, presentEvent(row), sha256)
      if (reason !== null) return verdict(last, { seq: row.seq, event_id: row.event_id, reason })
      if (row.seq === head?.seq && row.hash !== head.hash)
        return verdict(last, { seq: row.seq, event_id: row.event_id, reason: 'head' })
      last = row
    }
    if (rows.length < batch) break
  }
  if (head && head.seq > (last?.seq ?? 0))
    return verdict(last, { seq: head.seq, event_id: null, reason: 'missing' })
  return verdict(last, null)
}

function verdict(last: AuditLink | null, broken: AuditVerdict['broken']): AuditVerdict {
  return { valid: broken === null, events: last?.seq ?? 0, head_hash: last?.hash ?? '', broken }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
