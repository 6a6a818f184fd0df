import { createRoute, z } from '@hono/zod-openapi'
import { channelKinds, releaseMachine } from '@svc/app/states'
import { reachedBy } from '../kit/access.ts'
import { body, json, PageQuery, refusals } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { CommitSha, IdempotencyKey, ReleaseNumber } from '../kit/parameters.ts'
import { AppRelease, AppRollout } from './app-records.ts'
import { AppParams } from './apps.ts'

export { AppRelease, AppRollout }

const common = { tags: ['Apps'] }
const base = '/v1/projects/{project_id}/apps/{app}'
const params = AppParams.extend({ number: ReleaseNumber })
const One = z.object({ release: AppRelease })

export const listAppReleases = createRoute({
  ...common,
  operationId: 'listAppReleases',
  ...reachedBy({ capability: 'project.app.read' }),
  summary: 'List the releases of an app, newest first',
  description: 'Of production and of previews. `next_cursor` is absent on the last page.',
  method: 'get',
  path: `${base}/releases`,
  request: {
    params: AppParams,
    query: PageQuery.extend({
      channel: z.enum(channelKinds).optional().openapi({ description: 'Only those of this kind of address' }),
      status: z.enum(releaseMachine.states).optional().openapi({ description: 'Only those of this status' }),
    }),
  },
  responses: {
    200: json(z.object({ releases: z.array(AppRelease), next_cursor: z.string().optional() }), 'One page'),
    ...refusals(400, 403, 404),
  },
})

export const releaseApp = createRoute({
  ...common,
  operationId: 'releaseApp',
  ...reachedBy({ capability: 'project.app.deploy' }),
  summary: 'Make a release of an app by hand',
  description:
    'Of a commit of the default branch, by default its tip; 422 `app_commit_not_merged` for another. With `cr_id` it is the preview of that change request, which follows its head from then on; 409 `CR_NOT_OPEN`. 400 `app_config_invalid` with `issues` where it cannot be made here; 429 `app_release_limit`. The same `Idempotency-Key` answers with the same release.',
  method: 'post',
  path: `${base}/releases`,
  request: {
    params: AppParams,
    headers: z.object({ 'idempotency-key': IdempotencyKey }),
    body: body(
      z
        .strictObject({
          ref: z.string().min(1).max(255).optional(),
          commit_sha: CommitSha.optional(),
          cr_id: z
            .union([z.uuid(), z.string().regex(/^[1-9][0-9]{0,8}$/)], 'must be a number or a uuid')
            .optional(),
        })
        .refine(
          (one) => Object.values(one).filter((value) => value !== undefined).length <= 1,
          'takes one of `ref`, `commit_sha` and `cr_id`',
        )
        .openapi('ReleaseApp', { example: examples.releaseApp }),
      false,
    ),
  },
  responses: { 202: json(One, 'The release, on its way'), ...refusals(400, 403, 404, 409, 415, 422) },
})

export const getAppRelease = createRoute({
  ...common,
  operationId: 'getAppRelease',
  ...reachedBy({ capability: 'project.app.read' }),
  summary: 'Get a release',
  description: 'One that failed says why.',
  method: 'get',
  path: `${base}/releases/{number}`,
  request: { params },
  responses: { 200: json(One, 'The release'), ...refusals(400, 403, 404) },
})

export const cancelAppRelease = createRoute({
  ...common,
  operationId: 'cancelAppRelease',
  ...reachedBy({ capability: 'project.app.deploy' }),
  summary: 'Cancel a release that is under way',
  description: '409 `app_release_final` for one that ended.',
  method: 'post',
  path: `${base}/releases/{number}/cancel`,
  request: { params },
  responses: { 200: json(One, 'The release'), ...refusals(400, 403, 404, 409) },
})

export const rollbackApp = createRoute({
  ...common,
  operationId: 'rollbackApp',
  ...reachedBy({ capability: 'project.app.deploy' }),
  summary: 'Lead the address of an app back to an earlier release',
  description:
    'By default to what it showed before. The release is looked at first; nothing changes where it cannot be shown. Releases that are under way already do not undo it. 409 `app_release_not_ready`, `app_release_expired` for one that is kept no more, `app_rollout_in_progress`, and `conflict` with `current` where `expected_current` is another by now. 402 where that release runs and may not for its cap or its account.',
  method: 'post',
  path: `${base}/rollback`,
  request: {
    params: AppParams,
    body: body(
      z
        .strictObject({
          number: z.int().min(1).max(2_147_483_647).optional(),
          expected_current: z.int().min(1).max(2_147_483_647).optional(),
        })
        .openapi('RollbackApp', { example: examples.rollbackApp }),
      false,
    ),
  },
  responses: {
    202: json(z.object({ rollout: AppRollout }), 'The move, on its way'),
    ...refusals(400, 403, 404, 409, 415),
  },
})

export const listAppRollouts = createRoute({
  ...common,
  operationId: 'listAppRollouts',
  ...reachedBy({ capability: 'project.app.read' }),
  summary: 'List the moves of an app’s addresses, newest first',
  description: 'Each new release that was shown, and each way back.',
  method: 'get',
  path: `${base}/rollouts`,
  request: { params: AppParams, query: PageQuery },
  responses: {
    200: json(z.object({ rollouts: z.array(AppRollout), next_cursor: z.string().optional() }), 'One page'),
    ...refusals(400, 403, 404),
  },
})
