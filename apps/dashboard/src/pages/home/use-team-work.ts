import type { ChangeRequest, Project, SessionSummary } from '@svc/sdk'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useClient } from '../../sign-in/signed-in.tsx'

/** Each project costs two requests: what lies in others is a click away. */
const maxProjects = 12
const maxEach = 5

export interface Working {
  readonly project: Project
  readonly session: SessionSummary
}

export interface Merged {
  readonly project: Project
  readonly cr: ChangeRequest
}

/** Work that agents do now, and what was merged last, over the projects of the person. */
export function useTeamWork(): { readonly working: readonly Working[]; readonly merged: readonly Merged[] } {
  const client = useClient()
  const projects = useQuery({ queryKey: ['projects'], queryFn: () => client.projects.list() })
  const first = projects.data?.slice(0, maxProjects) ?? none
  const working = useQueries({
    queries: first.map((project) => ({
      // Below the keys of these lists, so that what changes them changes this.
      queryKey: ['sessions', project.project_id, 'home'],
      queryFn: () =>
        client.projects.sessions.summaries(project.project_id, { state: 'working', limit: maxEach }),
    })),
    combine: (answers) =>
      answers.flatMap(({ data }, index): readonly Working[] => {
        const project = first[index]
        return project === undefined ? [] : (data?.sessions ?? []).map((session) => ({ project, session }))
      }),
  })
  const merged = useQueries({
    queries: first.map((project) => ({
      queryKey: ['change-requests', project.project_id, 'home'],
      queryFn: async () =>
        (await client.projects.changeRequests.list(project.project_id, { status: 'merged', limit: maxEach }))
          .items,
    })),
    combine: (answers) =>
      answers.flatMap(({ data = [] }, index): readonly Merged[] => {
        const project = first[index]
        return project === undefined ? [] : data.map((cr) => ({ project, cr }))
      }),
  })
  return {
    working,
    merged: merged
      .toSorted((one, other) => ((one.cr.merged_at ?? '') < (other.cr.merged_at ?? '') ? 1 : -1))
      .slice(0, maxEach),
  }
}

const none: readonly Project[] = []
