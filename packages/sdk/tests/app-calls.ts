import type { Client } from '../src/index.ts'

/** A stream is asked for and then refused: the answer of the test is none. */
const asked = (stream: AsyncIterator<unknown>) => stream.next().catch(() => undefined)

/** A call of each operation on apps, as in `operations.test.ts`. */
export const appCalls: Readonly<Record<string, (client: Client) => unknown>> = {
  listApps: ({ projects }) => projects.apps.list('project_id'),
  getApp: ({ projects }) => projects.apps.get('project_id', 'app'),
  updateApp: ({ projects }) => projects.apps.update('project_id', 'app', {}),
  stopApp: ({ projects }) => projects.apps.stop('project_id', 'app'),
  startApp: ({ projects }) => projects.apps.start('project_id', 'app'),
  listAppReleases: ({ projects }) => projects.apps.releases('project_id', 'app'),
  releaseApp: ({ projects }) => projects.apps.release('project_id', 'app'),
  getAppRelease: ({ projects }) => projects.apps.getRelease('project_id', 'app', 'number'),
  cancelAppRelease: ({ projects }) => projects.apps.cancel('project_id', 'app', 'number'),
  readAppReleaseLog: ({ projects }) => asked(projects.apps.logs('project_id', 'app', { release: 'number' })),
  rollbackApp: ({ projects }) => projects.apps.rollback('project_id', 'app'),
  listAppRollouts: ({ projects }) => projects.apps.rollouts('project_id', 'app'),
  readAppLog: ({ projects }) => projects.apps.readLog('project_id', 'app'),
  readAppEvents: ({ projects }) => asked(projects.apps.events('project_id', 'app')),
  readAppEnv: ({ projects }) => projects.apps.env('project_id', 'app'),
  listAppMetrics: ({ projects }) => projects.apps.metricsOfAll('project_id'),
  readAppMetrics: ({ projects }) => projects.apps.metrics('project_id', 'app'),
  readAppUsage: ({ projects }) => projects.apps.usage('project_id', 'app'),
  checkApps: ({ projects }) => projects.apps.check('project_id'),
  listChangeRequestApps: ({ projects }) => projects.apps.ofChangeRequest('project_id', 'cr_id'),
  removeAppPreview: ({ projects }) => projects.apps.removePreview('project_id', 'cr_id', 'app'),
  enterApp: ({ projects }) => projects.apps.enter({ host: 'x.example' }),
}
