import { walkAudit, walkPlatformAudit } from '@svc/context'
import { checkedRows } from '@svc/db'
import type { Check, Found } from './check.ts'

/** A log that was changed, or that lost events: of an account, or the platform's own. */
export const auditChain: Check = {
  name: 'audit_chain',
  worker: 'merge',
  of: 'platform',
  run: async (ctx) => {
    const found: Found[] = []
    const broken = await walkPlatformAudit(ctx)
    if (broken !== null) found.push(reported('audit/platform', broken))
    for (const account_id of await checkedRows.accountIds(ctx.db)) {
      const verdict = await walkAudit(ctx, { account_id })
      if (verdict.broken !== null) found.push(reported(`audit/${account_id}`, verdict.broken))
    }
    return found
  },
}

function reported(
  subject: string,
  { seq, reason }: { readonly seq: number; readonly reason: string },
): Found {
  const message = `The chain does not hold from event ${seq} on (${reason}): compare it with an export or a backup`
  return { severity: 'error', project_id: null, subject, message }
}
