import type { Capability } from '@svc/facts'
import type { ProjectWithCapabilities } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../sign-in/signed-in.tsx'
import { projectQuery, useProjectId } from './use-project.ts'

/** The reason that the API would refuse what needs `capability` in the project of the address; null where it would not, or it is not known yet. */
export function useRefusal(capability: Capability | undefined): string | null {
  const project_id = useProjectId()
  const { data } = useQuery({
    ...projectQuery(useClient(), project_id ?? ''),
    enabled: project_id !== undefined && capability !== undefined,
  })
  return capability === undefined || data === undefined ? null : refusalOf(data, capability)
}

/** Every role below manager lacks something; a manager who lacks it came with a token for machines. */
export function refusalOf(
  { capabilities, project_role }: Pick<ProjectWithCapabilities, 'capabilities' | 'project_role'>,
  capability: Capability,
): string | null {
  if (capabilities.includes(capability)) return null
  return project_role === 'manager'
    ? `This needs ${capability}, which this token does not hold: sign in as a person.`
    : `This needs ${capability}, which your role ${project_role} does not hold here: ask a manager of the project.`
}
