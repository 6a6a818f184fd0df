import type { InboxApproval } from '@svc/context'
import { actOnReview } from './act.ts'

/** Approves an item that the inbox names: `version` is the one that the inbox showed. */
export const reviewApproval: InboxApproval = async (ctx, { project_id, id, version }) => {
  await actOnReview(ctx, { project_id, review_id: id, verdict: 'approve', version: Number(version) })
}
