import type { reviews as routes } from '@svc/contract'
import type { Http } from '../http/transport.ts'
import { type Listing, listing } from '../listing.ts'
import type { RequestOptions } from '../options.ts'
import type {
  ActOnReviewInput,
  ListReviewsQuery,
  ResubmitReviewInput,
  ReviewItem,
  SubmitReviewInput,
} from '../types.ts'

/** Work and decisions that are shown to people, who give a verdict. */
export interface Reviews {
  /** Newest first; `status` defaults to `all`. */
  list(project_id: string, query?: ListReviewsQuery, options?: RequestOptions): Listing<ReviewItem>
  get(project_id: string, review_id: string, options?: RequestOptions): Promise<ReviewItem>
  /** 404 names a file that the branch does not have; 409 once 50 wait. */
  submit(project_id: string, input: SubmitReviewInput, options?: RequestOptions): Promise<ReviewItem>
  /** 409 `REVIEW_STALE`, `REVIEW_NOT_OPEN`; 403 `REVIEW_SELF_ACT_REFUSED` for the session that submitted it. */
  act(
    project_id: string,
    review_id: string,
    input: ActOnReviewInput,
    options?: RequestOptions,
  ): Promise<ReviewItem>
  /** The next version, after `request_changes`; what is left out stays. */
  resubmit(
    project_id: string,
    review_id: string,
    input?: ResubmitReviewInput,
    options?: RequestOptions,
  ): Promise<ReviewItem>
  withdraw(project_id: string, review_id: string, options?: RequestOptions): Promise<ReviewItem>
}

const base = '/v1/projects/{project_id}/review/items'

export function reviews(http: Http): Reviews {
  return {
    list: (project_id, query = {}, options = {}) =>
      listing(async (cursor) => {
        const call = { ...options, params: { project_id }, query: { ...query, cursor } }
        const page = await http.call<typeof routes.listReviewItems>(`GET ${base}`, call)
        return { items: page.items, next_cursor: page.next_cursor ?? null }
      }, query.cursor),
    get: (project_id, review_id, options = {}) =>
      http.call<typeof routes.getReviewItem>(`GET ${base}/{review_id}`, {
        ...options,
        params: { project_id, review_id },
      }),
    submit: (project_id, body, options = {}) =>
      http.call<typeof routes.submitReviewItem>(`POST ${base}`, { ...options, params: { project_id }, body }),
    act: (project_id, review_id, body, options = {}) =>
      http.call<typeof routes.actOnReviewItem>(`POST ${base}/{review_id}/act`, {
        ...options,
        params: { project_id, review_id },
        body,
      }),
    resubmit: (project_id, review_id, body = {}, options = {}) =>
      http.call<typeof routes.resubmitReviewItem>(`POST ${base}/{review_id}/resubmit`, {
        ...options,
        params: { project_id, review_id },
        body,
      }),
    withdraw: (project_id, review_id, options = {}) =>
      http.call<typeof routes.withdrawReviewItem>(`POST ${base}/{review_id}/withdraw`, {
        ...options,
        params: { project_id, review_id },
      }),
  }
}
