import { inboxItems } from '@svc/db'
import type { InboxAdapter } from './kinds.ts'

/** Secrets that a manifest requires and that are not there, for people who may put them. */
export const secretMissing: InboxAdapter = async (ctx, scope) => {
  const rows = await inboxItems.missingSecrets(ctx.db, scope.holding('project.secret.write'))
  return rows.map(({ project_id, name, checked_at }) => ({
    id: `${project_id}.${name}`,
    version: name,
    project_id,
    title: name,
    phrase: `The manifest requires ${name}, which the project does not have`,
    at: checked_at,
    path: `/projects/${project_id}/secrets`,
  }))
}
