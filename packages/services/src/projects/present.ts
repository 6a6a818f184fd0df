import type { AccessibleProject, Settings } from '@svc/context'

/** The clone URL of a managed repository. */
export function managedOrigin(settings: Settings, project_id: string): string {
  return `${settings.api_url}/git/${project_id}.git`
}

export function cloneUrl(
  settings: Settings,
  project: Pick<AccessibleProject, 'kind' | 'repo_url' | 'project_id'>,
): string {
  return project.kind === 'managed' ? managedOrigin(settings, project.project_id) : project.repo_url
}

export function presentProject(settings: Settings, project: AccessibleProject) {
  return {
    project_id: project.project_id,
    account_id: project.account_id,
    name: project.name,
    slug: project.slug,
    repo_url: cloneUrl(settings, project),
    git_origin_url: project.kind === 'managed' ? managedOrigin(settings, project.project_id) : null,
    default_branch: project.default_branch,
    status: project.status,
    metadata: project.metadata,
    default_model: project.default_model,
    created_by: project.created_by,
    created_at: project.created_at,
    updated_at: project.updated_at,
    project_role: project.project_role,
  }
}
