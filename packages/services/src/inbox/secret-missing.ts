import { inboxItems } from '@svc/db'
import { adapterOf } from './adapter.ts'

/** Secrets that a manifest requires and that are not there, for people who may put them. */
export const secretMissing = adapterOf({
  rows: (scope) => inboxItems.missingSecrets(scope.holding('project.secret.write')),
  entry: ({ project_id, name, checked_at }) => ({
    project_id,
    title: name,
    phrase: `The manifest requires ${name}, which the project does not have`,
    at: checked_at,
    path: `/projects/${project_id}/secrets`,
  }),
})
