import type { ProjectWithCapabilities } from '@svc/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Client } from '@svc/sdk'
import { useClient } from '../sign-in/signed-in.tsx'

/** The project of the address, where it has one. */
export function useProjectId(): string | undefined {
  const { project_id } = useParams({ strict: false })
  return project_id
}

export function projectQuery(client: Client, project_id: string) {
  return queryOptions<ProjectWithCapabilities>({
    queryKey: ['project', project_id],
    queryFn: () => client.projects.get(project_id),
    staleTime: 30_000,
  })
}

export function useProject(project_id: string) {
  return useQuery(projectQuery(useClient(), project_id))
}
