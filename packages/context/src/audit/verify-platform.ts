import { createHash } from 'node:crypto'
import { type AuditLink, brokenLink } from '@svc/access'
import { platformAudit } from '@svc/db'
import type { Context } from '../context.ts'
import { presentEvent } from './read.ts'
import type { AuditVerdict } from './verify.ts'

const batch = 500

/** The first link of the platform's own chain that does not hold; null for a whole one. It is never pruned. */
export async function walkPlatformAudit(
  ctx: Pick<Context, 'db' | 'signal'>,
): Promise<AuditVerdict['broken']> {
  const head = await platformAudit.head(ctx.db)
  let last: Pick<AuditLink, 'seq' | 'hash'> | null = null
  for (;;) {
    ctx.signal.throwIfAborted()
    const after: number = last?.seq ?? 0
    const rows = await platformAudit.listChain(ctx.db, { after, limit: batch })
    for (const row of rows) {
      const { seq, event_id } = row
      const reason = brokenLink(last, presentEvent(row), sha256)
      if (reason !== null) return { seq, event_id, reason }
      if (seq === head?.seq && row.hash !== head.hash) return { seq, event_id, reason: 'head' }
      last = row
    }
    if (rows.length < batch) break
  }
  return head && head.seq > (last?.seq ?? 0) ? { seq: head.seq, event_id: null, reason: 'missing' } : null
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
