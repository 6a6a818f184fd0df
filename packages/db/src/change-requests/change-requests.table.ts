import type { ChangeRequestStatus } from '@svc/change-request'
import type { Generated, JSONColumnType, Selectable } from 'kysely'

export interface RequestedChange {
  readonly text: string
  readonly by: string
  readonly at: string
}

export interface ChangeRequestMetadata {
  readonly requested_changes?: readonly RequestedChange[]
  readonly [key: string]: unknown
}

export interface ChangeRequestTable {
  cr_id: string
  account_id: string
  project_id: string
  number: number
  title: string
  description: Generated<string>
  base_ref: string
  head_ref: string
  status: ChangeRequestStatus
  head_commit_sha: string | null
  base_commit_sha: string | null
  origin_session_id: string | null
  created_by: string
  merged_at: Date | null
  merged_by: string | null
  merge_commit_sha: string | null
  closed_at: Date | null
  closed_by: string | null
  metadata: JSONColumnType<ChangeRequestMetadata, string | undefined, string>
  created_at: Date
  updated_at: Date
}

export type ChangeRequestRow = Selectable<ChangeRequestTable>
