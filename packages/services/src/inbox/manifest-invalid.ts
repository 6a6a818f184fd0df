import { createHash } from 'node:crypto'
import { inboxItems } from '@svc/db'
import type { InboxAdapter } from './kinds.ts'

/** Manifests on default branches that have errors, for people who may push a better one. */
export const manifestInvalid: InboxAdapter = async (ctx, scope) => {
  const rows = await inboxItems.invalidManifests(ctx.db, scope.holding('project.gitops.push'))
  return rows.map(({ project_id, tip_sha, errors, path, message, checked_at }) => ({
    id: project_id,
    version: createHash('sha256')
      .update(tip_sha ?? '')
      .digest('hex')
      .slice(0, 16),
    project_id,
    title: 'svc.yaml',
    phrase: [path, message].filter((part) => part !== null && part !== '').join(': '),
    at: checked_at,
    path: `/projects/${project_id}/manifest`,
    count: errors,
  }))
}
