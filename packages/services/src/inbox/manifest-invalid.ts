import { inboxItems } from '@svc/db'
import { adapterOf } from './adapter.ts'

/** Manifests on default branches that have errors, for people who may push a better one. */
export const manifestInvalid = adapterOf({
  rows: (scope) => inboxItems.invalidManifests(scope.holding('project.gitops.push')),
  entry: ({ project_id, errors, path, message, checked_at }) => ({
    project_id,
    title: 'svc.yaml',
    phrase: [path, message].filter((part) => part !== null && part !== '').join(': '),
    at: checked_at,
    path: `/projects/${project_id}/manifest`,
    count: errors,
  }),
})
