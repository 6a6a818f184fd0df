import { createRoute, z } from '@hono/zod-openapi'
import { changeRequestMachine } from '@svc/change-request'
import { reachedBy } from '../kit/access.ts'
import { withAliases } from '../kit/aliases.ts'
import { ChangeRequest, ChangeRequestDiff, DiffFile, MergePreview } from './change-request-records.ts'
import { body, json, PageQuery, ProjectParams, refusals, Sha, text } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { limits } from '../kit/limits.ts'
import { CommitId, FilePath, ProjectId } from '../kit/parameters.ts'
import { ModelUsage } from './usage-records.ts'

export { ChangeRequest, ChangeRequestDiff, DiffFile, MergePreview }

const base = '/v1/projects/{project_id}/change-requests'
const common = { tags: ['Change requests'] }

export const ChangeRequestParams = z.object({
  project_id: ProjectId,
  cr_id: z
    .union([z.uuid(), z.string().regex(/^[1-9][0-9]{0,8}$/)], 'must be a number or a uuid')
    .openapi({ description: 'The `cr_id`, or the number within the project', type: 'string' }),
})

const title = text(limits.titleLength).refine((value) => value.trim().length > 0, 'must not be blank')
const description = text(limits.descriptionLength)
const ref = z.string().min(1).max(255)

/** Accepts `headRef`, `baseRef` and `sessionId` as other spellings of the document's names. */
export const CreateChangeRequest = z.preprocess(
  withAliases({ headRef: 'head_ref', baseRef: 'base_ref', sessionId: 'session_id' }),
  z
    .strictObject({
      title,
      description: description.optional(),
      head_ref: ref,
      base_ref: ref.optional().openapi({ description: "Defaults to the project's default branch" }),
      session_id: z.string().max(255).optional().openapi({
        description:
          'Where it comes from, and where requested changes go. An unknown session is dropped silently; one that the caller may not drive is refused, and a session names only itself',
      }),
    })
    .openapi('CreateChangeRequest', { example: examples.createChangeRequest }),
)

export const listChangeRequests = createRoute({
  ...common,
  operationId: 'listChangeRequests',
  ...reachedBy({ capability: 'project.read' }),
  summary: 'List change requests, newest first',
  description:
    'Open, closed and merged ones, by `status`. Commit ids of open ones are read from git at that moment. `next_cursor` is absent on the last page.',
  method: 'get',
  path: base,
  request: {
    params: ProjectParams,
    query: PageQuery.extend({
      status: z
        .enum([...changeRequestMachine.states, 'all'])
        .default('all')
        .openapi({ description: 'Only those of this status' }),
      origin_session_id: z.uuid().optional().openapi({ description: 'Only those that this session opened' }),
    }),
  },
  responses: {
    200: json(
      z.object({ change_requests: z.array(ChangeRequest), next_cursor: z.string().optional() }),
      'One page',
    ),
    ...refusals(400, 403, 404),
  },
})

export const createChangeRequest = createRoute({
  ...common,
  operationId: 'createChangeRequest',
  ...reachedBy({ capability: 'project.gitops.push' }),
  summary: 'Open a change request',
  description:
    '`head_ref` needs at least one commit that `base_ref` does not have, else 422 `CR_HEAD_NOT_AHEAD`. One open change request per pair of branches: a second is 409 `CR_ALREADY_OPEN` with `cr_id` and `number`. Needs `project.gitops.push`.',
  method: 'post',
  path: base,
  request: { params: ProjectParams, body: body(CreateChangeRequest) },
  responses: {
    201: json(ChangeRequest, 'The open change request'),
    ...refusals(400, 403, 404, 409, 415, 422),
  },
})

export const getChangeRequest = createRoute({
  ...common,
  operationId: 'getChangeRequest',
  ...reachedBy({ capability: 'project.read' }),
  summary: 'Read a change request, with fresh commit ids',
  description: '`If-None-Match` with the `ETag` answers 304 while nothing changed.',
  method: 'get',
  path: `${base}/{cr_id}`,
  request: { params: ChangeRequestParams },
  responses: {
    200: json(
      z.object({
        change_request: ChangeRequest,
        cost: ModelUsage.openapi({ description: 'The calls of models of the session whose branch it is' }),
      }),
      'The change request, and what its session cost',
    ),
    304: { description: 'Unchanged' },
    ...refusals(400, 403, 404),
  },
})

export const updateChangeRequest = createRoute({
  ...common,
  operationId: 'updateChangeRequest',
  ...reachedBy({ capability: 'project.gitops.push' }),
  summary: 'Edit the title or the description of an open change request',
  description:
    'The title may not be blank, the description may be empty. 409 `CR_NOT_OPEN` once it is closed or merged.',
  method: 'patch',
  path: `${base}/{cr_id}`,
  request: {
    params: ChangeRequestParams,
    body: body(
      z
        .strictObject({ title: title.optional(), description: description.optional() })
        .openapi('UpdateChangeRequest', { example: examples.updateChangeRequest }),
    ),
  },
  responses: { 200: json(ChangeRequest, 'The change request'), ...refusals(400, 403, 404, 409, 415) },
})

export const getChangeRequestDiff = createRoute({
  ...common,
  operationId: 'getChangeRequestDiff',
  ...reachedBy({ capability: 'project.read' }),
  summary: 'Diff of a change request',
  description:
    'Three-dot between the live branches; for a merged one between the commits that were captured.',
  method: 'get',
  path: `${base}/{cr_id}/diff`,
  request: { params: ChangeRequestParams, query: z.object({ path: FilePath.optional() }) },
  responses: { 200: json(ChangeRequestDiff, 'The diff'), ...refusals(400, 403, 404, 422) },
})

export const getMergePreview = createRoute({
  ...common,
  operationId: 'getMergePreview',
  ...reachedBy({ capability: 'project.read' }),
  summary: 'Whether and how a change request would merge now',
  description:
    'Computed from the live branches at that moment, with the verdict on the manifest of the head.',
  method: 'get',
  path: `${base}/{cr_id}/merge-preview`,
  request: { params: ChangeRequestParams },
  responses: { 200: json(MergePreview, 'The preview'), ...refusals(400, 403, 404, 422) },
})

export const mergeChangeRequest = createRoute({
  ...common,
  operationId: 'mergeChangeRequest',
  ...reachedBy({ capability: 'project.gitops.merge' }),
  summary: 'Merge a change request',
  description:
    'Puts its branch on the base branch: a fast-forward when head is strictly ahead, else a merge commit. The manifest on head must be valid, or, where the one on base is not, add no error to it (422 `MANIFEST_INVALID`, `issues` lists what stands in the way). Needs `project.gitops.merge`; a session may not merge its own change request (403 `CR_SELF_MERGE_REFUSED`).',
  method: 'post',
  path: `${base}/{cr_id}/merge`,
  request: {
    params: ChangeRequestParams,
    body: body(
      z
        .strictObject({
          message: text(limits.descriptionLength).optional(),
          expected_head_sha: CommitId.optional(),
          expected_base_sha: CommitId.optional(),
        })
        .openapi('MergeChangeRequest', { example: examples.mergeChangeRequest }),
      false,
    ),
  },
  responses: {
    200: json(
      z
        .object({
          change_request: ChangeRequest,
          merge: z.object({
            merge_commit_sha: Sha,
            fast_forward: z.boolean(),
            base_sha_before: Sha,
            base_sha_after: Sha,
          }),
        })
        .openapi('MergeResult'),
      'Merged',
    ),
    ...refusals(400, 403, 404, 409, 415, 422),
  },
})

export const closeChangeRequest = createRoute({
  ...common,
  operationId: 'closeChangeRequest',
  ...reachedBy({ capability: 'project.gitops.push' }),
  summary: 'Close a change request without merging',
  description: 'The head branch stays. 409 `CR_NOT_OPEN` for one that is closed or merged.',
  method: 'post',
  path: `${base}/{cr_id}/close`,
  request: { params: ChangeRequestParams },
  responses: { 200: json(ChangeRequest, 'The closed change request'), ...refusals(400, 403, 404, 409) },
})

export const reopenChangeRequest = createRoute({
  ...common,
  operationId: 'reopenChangeRequest',
  ...reachedBy({ capability: 'project.gitops.push' }),
  summary: 'Reopen a closed change request',
  description:
    '409 `CR_NOT_CLOSED` unless it is closed, `CR_ALREADY_OPEN` while another one is open for the same pair of branches. 422 `CR_HEAD_NOT_AHEAD` without a commit of its own.',
  method: 'post',
  path: `${base}/{cr_id}/reopen`,
  request: { params: ChangeRequestParams },
  responses: { 200: json(ChangeRequest, 'The open change request'), ...refusals(400, 403, 404, 409, 422) },
})

const Feedback = z.preprocess(
  withAliases({ text: 'feedback' }),
  z
    .strictObject({
      feedback: text(limits.descriptionLength).refine(
        (value) => value.trim().length > 0,
        'must not be blank',
      ),
    })
    .openapi('RequestChanges', { example: examples.requestChanges }),
)

export const requestChanges = createRoute({
  ...common,
  operationId: 'requestChanges',
  ...reachedBy({ capability: 'project.gitops.push' }),
  summary: 'Send feedback to the agent that opened the change request',
  description: 'Delivery is durable; a sleeping sandbox is woken. Needs `project.gitops.push`.',
  method: 'post',
  path: `${base}/{cr_id}/request-changes`,
  request: { params: ChangeRequestParams, body: body(Feedback) },
  responses: {
    200: json(z.object({ change_request: ChangeRequest, delivering: z.boolean() }), 'Recorded'),
    ...refusals(400, 403, 404, 409, 415),
  },
})
