import type { ProjectRole, ProjectStatus } from '@svc/access'
import type { Generated, JSONColumnType, Selectable } from 'kysely'

export interface ProjectTable {
  project_id: string
  account_id: string
  name: string
  slug: string
  kind: 'managed' | 'connected'
  /** URL of a connected project's repository; `managed:<project_id>` for a managed one. */
  repo_url: string
  default_branch: string
  status: Generated<ProjectStatus>
  /** `provider/model` for sessions whose trigger, creator and agent name none. */
  default_model: Generated<string | null>
  metadata: JSONColumnType<Record<string, unknown>, string | undefined, string>
  sealed_data_key: string
  sealed_credential: string | null
  last_cr_number: Generated<number>
  /** The commit of the default branch that its apps were read at. */
  apps_commit_sha: Generated<string | null>
  created_by: string
  created_at: Date
  updated_at: Date
  archived_at: Date | null
}

export interface ProjectMemberTable {
  project_id: string
  user_id: string
  role: ProjectRole
  /** The custom role that adds to it. */
  role_id: Generated<string | null>
  /** A group of the directory gave it, and its end takes it. */
  from_directory: Generated<boolean>
  created_at: Date
}

export interface ProvisionKeyTable {
  account_id: string
  idempotency_key: string
  project_id: string | null
  created_at: Date
}

/** Without what the work on its apps alone asks for. */
export type ProjectRow = Omit<Selectable<ProjectTable>, 'apps_commit_sha'>
