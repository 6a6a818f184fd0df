import type { harnesses as routes } from '@svc/contract'
import type { Harness, ProjectHarnessList } from '../../harness-types.ts'
import type { Http } from '../../http/transport.ts'
import type { RequestOptions } from '../../options.ts'

/** The programs that may be a session's agent: Claude Code, Codex, Gemini CLI and their like. */
export interface Harnesses {
  list(options?: RequestOptions): Promise<readonly Harness[]>
  /** With its licences and installs. */
  get(name: string, options?: RequestOptions): Promise<Harness>
}

export interface ProjectHarnesses {
  /** Those of the platform and of the manifest, and the one of each agent, as the default branch says. */
  list(project_id: string, options?: RequestOptions): Promise<ProjectHarnessList>
}

export function harnesses(http: Http): Harnesses {
  return {
    list: async (options = {}) =>
      (await http.call<typeof routes.listHarnesses>('GET /v1/harnesses', options)).harnesses,
    get: (name, options = {}) =>
      http.call<typeof routes.getHarness>('GET /v1/harnesses/{name}', { ...options, params: { name } }),
  }
}

export function projectHarnesses(http: Http): ProjectHarnesses {
  return {
    list: (project_id, options = {}) =>
      http.call<typeof routes.listProjectHarnesses>('GET /v1/projects/{project_id}/harnesses', {
        ...options,
        params: { project_id },
      }),
  }
}
