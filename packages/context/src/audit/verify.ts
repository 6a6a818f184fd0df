import { createHash } from 'node:crypto'
import { type AuditLink, brokenLink } from '@svc/access'
import { audit, type Db } from '@svc/db'
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

/** Verifies the log of an account. */
export async function verifyAudit(
  ctx: Pick<Context, 'db' | 'principal' | 'signal'>,
  input: { account_id: string },
): Promise<AuditVerdict> {
  await requireAccount(ctx, input.account_id, 'admin', 'auditAccess')
  return walkAudit(ctx, input)
}

/**
 * Walks the chain from its first event, or from the one that retention pruned last: a changed, removed or inserted one
 * breaks it, and so does a lost end.
 */
export async function walkAudit(
  ctx: Pick<Context, 'db' | 'signal'>,
  { account_id }: { readonly account_id: string },
): Promise<AuditVerdict> {
  // The end is read first: what is appended meanwhile is behind it.
  const head = await audit.head(ctx.db, account_id)
  let last: Position | null = null
  let pruned = 0
  for (;;) {
    ctx.signal.throwIfAborted()
    const seen: number = last?.seq ?? 0
    const { anchor, rows } = await nextRows(ctx.db, account_id, seen)
    if (anchor && anchor.seq > seen) {
      last = anchor
      pruned = anchor.seq
    }
    for (const row of rows) {
      const reason = brokenLink(last, presentEvent(row), sha256)
      if (reason !== null) return verdict(last, pruned, { seq: row.seq, event_id: row.event_id, reason })
      if (row.seq === head?.seq && row.hash !== head.hash)
        return verdict(last, pruned, { seq: row.seq, event_id: row.event_id, reason: 'head' })
      last = row
    }
    if (rows.length < batch) break
  }
  if (head && head.seq > (last?.seq ?? 0))
    return verdict(last, pruned, { seq: head.seq, event_id: null, reason: 'missing' })
  return verdict(last, pruned, null)
}

type Position = Pick<AuditLink, 'seq' | 'hash'>

/** The anchor and what follows it are read as of one instant: a pruning in between would look like a gap. */
function nextRows(db: Db, account_id: string, seen: number) {
  const read = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return read.execute(async (tx) => {
    const anchor = await audit.anchor(tx, account_id)
    const after = Math.max(seen, anchor?.seq ?? 0)
    return { anchor, rows: await audit.listChain(tx, account_id, { after, limit: batch }) }
  })
}

function verdict(last: Position | null, pruned: number, broken: AuditVerdict['broken']): AuditVerdict {
  const [seq, head_hash] = last === null ? [pruned, ''] : [last.seq, last.hash]
  return { valid: broken === null, events: seq - pruned, head_hash, broken }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
