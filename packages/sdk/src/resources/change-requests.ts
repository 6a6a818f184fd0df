import type { changeRequests as routes, viewedFiles as viewedRoutes } from '@svc/contract'
import type { Http } from '../http/transport.ts'
import { type Listing, listing } from '../listing.ts'
import type { RequestOptions } from '../options.ts'
import type {
  ChangeRequest,
  ChangeRequestDiff,
  ChangeRequestWithCost,
  CreateChangeRequestInput,
  ListChangeRequestsQuery,
  MergeChangeRequestInput,
  MergePreview,
  MergeResult,
  RequestChangesResult,
  SetViewedFileInput,
  UpdateChangeRequestInput,
  ViewedFile,
} from '../types.ts'

/** `cr_id` is the uuid or the number within the project, as text. */
export interface ChangeRequests {
  /** Newest number first; `status` defaults to `all`. */
  list(project_id: string, query?: ListChangeRequestsQuery, options?: RequestOptions): Listing<ChangeRequest>
  /** 422 `CR_HEAD_NOT_AHEAD` without a commit of its own, 409 `CR_ALREADY_OPEN` with `details.number`. */
  create(
    project_id: string,
    input: CreateChangeRequestInput,
    options?: RequestOptions,
  ): Promise<ChangeRequest>
  get(project_id: string, cr_id: string, options?: RequestOptions): Promise<ChangeRequestWithCost>
  /** Only while open, else 409 `CR_NOT_OPEN`. */
  update(
    project_id: string,
    cr_id: string,
    input: UpdateChangeRequestInput,
    options?: RequestOptions,
  ): Promise<ChangeRequest>
  /** `path` narrows to one file. */
  diff(
    project_id: string,
    cr_id: string,
    query?: { path?: string },
    options?: RequestOptions,
  ): Promise<ChangeRequestDiff>
  /** Computed from the live branches. */
  mergePreview(project_id: string, cr_id: string, options?: RequestOptions): Promise<MergePreview>
  /** 409 `MERGE_CONFLICT` with `details.conflicts`, 422 `MANIFEST_INVALID` with `issues`, 403 `CR_SELF_MERGE_REFUSED`. Never repeated. */
  merge(
    project_id: string,
    cr_id: string,
    input?: MergeChangeRequestInput,
    options?: RequestOptions,
  ): Promise<MergeResult>
  /** The head branch stays. */
  close(project_id: string, cr_id: string, options?: RequestOptions): Promise<ChangeRequest>
  reopen(project_id: string, cr_id: string, options?: RequestOptions): Promise<ChangeRequest>
  /** Sends feedback to the session that opened it, waking its sandbox. */
  requestChanges(
    project_id: string,
    cr_id: string,
    input: { feedback: string },
    options?: RequestOptions,
  ): Promise<RequestChangesResult>
  /** The files that you have looked at, with the content that each had. */
  viewed(project_id: string, cr_id: string, options?: RequestOptions): Promise<ViewedFile[]>
  setViewed(
    project_id: string,
    cr_id: string,
    input: SetViewedFileInput,
    options?: RequestOptions,
  ): Promise<ViewedFile[]>
}

const base = '/v1/projects/{project_id}/change-requests'

export function changeRequests(http: Http): ChangeRequests {
  return {
    list: (project_id, query = {}, options = {}) =>
      listing(async (cursor) => {
        const page = await http.call<typeof routes.listChangeRequests>(`GET ${base}`, {
          ...options,
          params: { project_id },
          query: { ...query, cursor },
        })
        return { items: page.change_requests, next_cursor: page.next_cursor ?? null }
      }, query.cursor),
    create: (project_id, body, options = {}) =>
      http.call<typeof routes.createChangeRequest>(`POST ${base}`, {
        ...options,
        params: { project_id },
        body,
      }),
    get: async (project_id, cr_id, options = {}) => {
      const params = { project_id, cr_id }
      const answer = await http.call<typeof routes.getChangeRequest>(`GET ${base}/{cr_id}`, {
        ...options,
        params,
      })
      return { ...answer.change_request, cost: answer.cost }
    },
    update: (project_id, cr_id, body, options = {}) =>
      http.call<typeof routes.updateChangeRequest>(`PATCH ${base}/{cr_id}`, {
        ...options,
        params: { project_id, cr_id },
        body,
      }),
    diff: (project_id, cr_id, query = {}, options = {}) =>
      http.call<typeof routes.getChangeRequestDiff>(`GET ${base}/{cr_id}/diff`, {
        ...options,
        params: { project_id, cr_id },
        query,
      }),
    mergePreview: (project_id, cr_id, options = {}) =>
      http.call<typeof routes.getMergePreview>(`GET ${base}/{cr_id}/merge-preview`, {
        ...options,
        params: { project_id, cr_id },
      }),
    merge: (project_id, cr_id, body = {}, options = {}) =>
      http.call<typeof routes.mergeChangeRequest>(`POST ${base}/{cr_id}/merge`, {
        ...options,
        params: { project_id, cr_id },
        body,
      }),
    close: (project_id, cr_id, options = {}) =>
      http.call<typeof routes.closeChangeRequest>(`POST ${base}/{cr_id}/close`, {
        ...options,
        params: { project_id, cr_id },
      }),
    reopen: (project_id, cr_id, options = {}) =>
      http.call<typeof routes.reopenChangeRequest>(`POST ${base}/{cr_id}/reopen`, {
        ...options,
        params: { project_id, cr_id },
      }),
    requestChanges: (project_id, cr_id, body, options = {}) =>
      http.call<typeof routes.requestChanges>(`POST ${base}/{cr_id}/request-changes`, {
        ...options,
        params: { project_id, cr_id },
        body,
      }),
    viewed: async (project_id, cr_id, options = {}) => {
      const call = { ...options, params: { project_id, cr_id } }
      return (await http.call<typeof viewedRoutes.getViewedFiles>(`GET ${base}/{cr_id}/viewed`, call)).files
    },
    setViewed: async (project_id, cr_id, body, options = {}) => {
      const call = { ...options, params: { project_id, cr_id }, body }
      return (await http.call<typeof viewedRoutes.setViewedFile>(`PUT ${base}/{cr_id}/viewed`, call)).files
    },
  }
}
