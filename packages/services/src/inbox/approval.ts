import { inboxItems } from '@svc/db'
import { adapterOf } from './adapter.ts'

/** Calls of connectors that are frozen until a person decides, for people who may. They end with a decision or their time. */
export const approval = adapterOf({
  rows: (scope, now) => inboxItems.pendingApprovals(scope.holding('project.review.act'), now),
  entry: (row) => ({
    project_id: row.project_id,
    session_id: row.session_id,
    slug: row.slug,
    title: `${row.slug}.${row.action}`,
    phrase: row.risk === 'destructive' ? 'May destroy something in another service' : waits[row.risk],
    risk: riskOf[row.risk],
    safe: row.risk === 'read',
    at: row.created_at,
    expires_at: row.expires_at,
    path: `/projects/${row.project_id}/approvals/${row.call_id}`,
  }),
})

const waits = {
  read: 'Wants to read from another service',
  write: 'Wants to write in another service',
} as const
const riskOf = { read: 'low', write: 'medium', destructive: 'high' } as const
