import type { ReviewEvent } from '@svc/connector/states'
import { sql, type UpdateObject } from 'kysely'
import type { Database } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'
import type { ReviewItemRow } from './review-items.table.ts'

interface Judged {
  readonly verdict_by: string
  readonly feedback: string | null
}

/** Input of each event. The new status, and every other column, follow from the event. */
export interface ReviewChanges {
  /** `option` is of a decision, and of every decision. */
  readonly approve: Judged & { readonly option: string | null }
  readonly request_changes: Judged & { readonly feedback: string }
  readonly reject: Judged
  readonly dismiss: Judged
  readonly withdraw: null
  readonly resubmit: Pick<ReviewItemRow, 'title' | 'summary' | 'files' | 'options' | 'url'>
}

type Columns = Omit<UpdateObject<Database, 'review_items'>, 'status' | 'updated_at'>

const columns: {
  readonly [Event in ReviewEvent]: (change: ReviewChanges[Event], now: Date) => Columns
} = {
  approve: (change, decided_at) => ({ ...change, decided_at }),
  request_changes: (change, decided_at) => ({ ...change, decided_at }),
  reject: (change, decided_at) => ({ ...change, decided_at }),
  dismiss: (change, decided_at) => ({ ...change, decided_at }),
  withdraw: () => ({}),
  resubmit: ({ files, options, ...change }) => ({
    ...change,
    files: jsonb(files),
    options: jsonb(options),
    version: sql<number>`version + 1`,
    verdict_by: null,
    feedback: null,
    option: null,
    decided_at: null,
  }),
}

export function reviewColumns<Event extends ReviewEvent>(
  event: Event,
  change: ReviewChanges[Event],
  now: Date,
): Columns {
  return columns[event](change, now)
}
