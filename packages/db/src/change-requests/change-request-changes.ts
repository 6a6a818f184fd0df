import type { ChangeRequestEvent } from '@svc/change-request'
import { sql, type UpdateObject } from 'kysely'
import type { ChangeRequestRow, RequestedChange } from './change-requests.table.ts'
import type { Database } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'

type Tips = Readonly<Record<'head_commit_sha' | 'base_commit_sha', string>>

/** Input of each event. The new status, and every other column, follow from the event. */
export interface ChangeRequestChanges {
  readonly merge: Tips & { readonly merge_commit_sha: string; readonly merged_by: string }
  readonly close: { readonly closed_by: string }
  readonly reopen: Tips
  readonly request_changes: { readonly entry: RequestedChange }
  readonly edit: Readonly<Partial<Pick<ChangeRequestRow, 'title' | 'description'>>>
}

type Columns = Omit<UpdateObject<Database, 'change_requests'>, 'status' | 'updated_at'>

const columns: {
  readonly [Event in ChangeRequestEvent]: (change: ChangeRequestChanges[Event], now: Date) => Columns
} = {
  merge: ({ head_commit_sha, base_commit_sha, merge_commit_sha, merged_by }, merged_at) => ({
    head_commit_sha,
    base_commit_sha,
    merge_commit_sha,
    merged_by,
    merged_at,
  }),
  close: ({ closed_by }, closed_at) => ({ closed_by, closed_at }),
  reopen: (tips) => ({ ...tips, closed_by: null, closed_at: null }),
  request_changes: ({ entry }) => ({
    metadata: sql<string>`jsonb_set(metadata, '{requested_changes}', coalesce(metadata->'requested_changes', '[]') || ${jsonb([entry])}::jsonb)`,
  }),
  edit: (change) => change,
}

export function changeRequestColumns<Event extends ChangeRequestEvent>(
  event: Event,
  change: ChangeRequestChanges[Event],
  now: Date,
): Columns {
  return columns[event](change, now)
}
