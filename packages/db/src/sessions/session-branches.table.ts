import type { SessionBranchState } from '@svc/session'
import type { Selectable } from 'kysely'

/** The branch of a deleted session. */
export interface SessionBranchTable {
  session_id: string
  project_id: string
  branch_name: string
  state: SessionBranchState
  /** The commit that was bundled. */
  tip: string | null
  /** The bundle in the object store. */
  object_key: string | null
  deleted_at: Date
  updated_at: Date
}

export type SessionBranchRow = Selectable<SessionBranchTable>
