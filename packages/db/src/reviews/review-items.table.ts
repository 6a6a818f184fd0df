import type { ReviewKind, ReviewRisk, ReviewStatus } from '@svc/connector/states'
import type { JSONColumnType, Selectable } from 'kysely'

/** A file as it was when it was shown: at this commit, whatever its branch says later. */
export interface ReviewFile {
  readonly path: string
  readonly commit_sha: string
}

/** One of the answers to a decision. */
export interface ReviewOption {
  readonly id: string
  readonly label: string
}

export interface ReviewItemTable {
  review_id: string
  project_id: string
  /** The session that submitted it; null for a person's own, and once that session is removed. */
  session_id: string | null
  kind: ReviewKind
  title: string
  summary: string
  risk: ReviewRisk
  files: JSONColumnType<readonly ReviewFile[], string, string>
  options: JSONColumnType<readonly ReviewOption[], string, string>
  url: string | null
  status: ReviewStatus
  version: number
  verdict_by: string | null
  feedback: string | null
  option: string | null
  decided_at: Date | null
  created_by: string
  created_at: Date
  updated_at: Date
}

export type ReviewItemRow = Selectable<ReviewItemTable>
