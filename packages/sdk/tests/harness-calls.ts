import type { Client } from '../src/index.ts'

/** A call of each operation on harnesses, as in `operations.test.ts`. */
export const harnessCalls: Readonly<Record<string, (client: Client) => unknown>> = {
  listHarnesses: ({ harnesses }) => harnesses.list(),
  getHarness: ({ harnesses }) => harnesses.get('name'),
  listProjectHarnesses: ({ projects }) => projects.harnesses.list('project_id'),
  getSessionRuntime: ({ projects }) => projects.sessions.runtime.get('project_id', 'session_id'),
  setSessionRuntime: ({ projects }) =>
    projects.sessions.runtime.set('project_id', 'session_id', { mode: 'plan' }),
}
