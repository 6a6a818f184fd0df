import { me, otherProjectId, project, projectId } from './records.ts'
import { refusal, type Route } from './stub-api.ts'

/**
 * The routes of a platform that signing in and linking a folder ask. One token is of no use, and one is a project's.
 */
export const signInRoutes = (): Record<string, Route> => ({
  'GET /v1/accounts/me': ({ headers }) => {
    if (headers.authorization === 'Bearer svc_pat_project')
      return refusal(403, 'forbidden', 'A project token')
    return headers.authorization === undefined || headers.authorization === 'Bearer svc_pat_wrong'
      ? refusal(401, 'unauthorized', 'No valid credential')
      : { status: 200, body: me }
  },
  'GET /v1/projects': () => ({ status: 200, body: [project()] }),
  [`GET /v1/projects/${projectId}`]: () => ({ status: 200, body: project() }),
  [`GET /v1/projects/${otherProjectId}`]: () => ({
    status: 200,
    body: project({ project_id: otherProjectId, slug: 'other' }),
  }),
  'GET /v1/health': () => ({ status: 200, body: { status: 'ok', version: '9.9.9', commit: 'c' } }),
})
