import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { body, ErrorBody, FreeObject, json, PageQuery, ProjectParams, refusals, text } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { ConnectorCallId, ConnectorSlug, ProjectId, SessionId } from '../kit/parameters.ts'
import {
  Approval,
  approvalStatuses,
  callStatuses,
  CallOutcome,
  CallState,
  ConnectorActionItem,
  ConnectorCall,
} from './connector-records.ts'

export { Approval, CallOutcome, CallState, ConnectorCall }

const common = { tags: ['Connectors'] }
const base = '/v1/projects/{project_id}/connector-calls'
const one = `${base}/{call_id}`
const CallParams = z.object({ project_id: ProjectId, call_id: ConnectorCallId })
const everyActor = reachedBy({ any_actor: true })
const wait_seconds = z.coerce
  .number()
  .int()
  .min(0)
  .max(20)
  .openapi({ description: 'Seconds to wait for the end' })

const OutcomeOrError = z.union([CallOutcome, ErrorBody])

/** The outcome of a call stands in the body, whatever the status: `reason` says why there is no result. */
const outcomes = {
  ...refusals(409, 415),
  200: json(CallOutcome, 'Done: `data` is the result'),
  202: json(CallOutcome, 'Pending: it waits for a person, or still runs'),
  400: json(OutcomeOrError, 'The arguments do not fit, or the request does not'),
  403: json(OutcomeOrError, 'Denied by a policy or a person, or nothing is connected'),
  404: json(OutcomeOrError, 'No such project, connector or action for the caller'),
  413: json(OutcomeOrError, 'The arguments are too large'),
  502: json(CallOutcome, 'The service failed'),
  504: json(CallOutcome, 'The service did not answer in time'),
}

export const searchConnectorTools = createRoute({
  ...common,
  ...everyActor,
  operationId: 'searchConnectorTools',
  summary: 'Search the actions that you may call, over all connectors of a project',
  description: 'For an agent: those of the connectors that the manifest lists for it. At most 20.',
  method: 'get',
  path: '/v1/projects/{project_id}/connector-catalog',
  request: {
    params: ProjectParams,
    query: z.object({
      query: text(256).optional().openapi({ description: 'Words to search for' }),
      connector: ConnectorSlug.optional(),
      limit: z.coerce.number().int().min(1).max(20).optional().openapi({ description: 'At most so many' }),
    }),
  },
  responses: {
    200: json(
      z.object({
        tools: z.array(
          ConnectorActionItem.pick({
            tool: true,
            action: true,
            title: true,
            description: true,
            risk: true,
            input_schema: true,
          }).extend({ connector: z.string(), needs_approval: z.boolean() }),
        ),
        connectors: z.array(
          z.object({
            slug: z.string(),
            name: z.string(),
            status: z.string(),
            connected: z.boolean(),
            connect_url: z.string(),
          }),
        ),
      }),
      'The tools, the best first, and the connectors that there are',
    ),
    ...refusals(400, 403, 404),
  },
})

export const createConnectorCall = createRoute({
  ...common,
  ...everyActor,
  operationId: 'createConnectorCall',
  summary: 'Call an action of a connector',
  description:
    'An agent calls connectors that the manifest lists for it; a person, a token or a service account those of projects where they may start sessions. The platform holds the credential, decides by the policies of the manifest, calls, and answers the result. How a call ended stands in `reason`: `policy_block`, `approval_required`, `connector_not_connected`, `upstream_error` and others. One that needs a person is frozen and answers `pending` after `wait_seconds`; once approved the platform carries out exactly that, once, and a session hears of the end by a message: nothing is to be repeated. With `idempotency_key` a repeated request is the same call.',
  method: 'post',
  path: base,
  request: {
    params: ProjectParams,
    body: body(
      z
        .strictObject({
          connector: text(128).min(1),
          action: text(256).min(1),
          args: FreeObject.optional(),
          idempotency_key: text(200).min(1).optional(),
          wait_seconds: z.int().min(0).max(20).optional().openapi({ description: '20 when absent' }),
        })
        .openapi('CreateConnectorCall', { example: examples.createConnectorCall }),
    ),
  },
  responses: outcomes,
})

export const listConnectorCalls = createRoute({
  ...common,
  ...reachedBy({ capability: 'project.connector.read' }),
  operationId: 'listConnectorCalls',
  summary: 'List the connector calls of a project, the newest first',
  description: 'Who called what, what was decided and how it ended; neither arguments nor results.',
  method: 'get',
  path: base,
  request: {
    params: ProjectParams,
    query: PageQuery.extend({
      session_id: SessionId.optional(),
      connector: ConnectorSlug.optional(),
      status: callStatuses.optional().openapi({ description: 'Only those in this state' }),
    }),
  },
  responses: {
    200: json(z.object({ calls: z.array(ConnectorCall), next_cursor: z.string().nullable() }), 'One page'),
    ...refusals(400, 403, 404),
  },
})

export const getConnectorCall = createRoute({
  ...common,
  ...everyActor,
  operationId: 'getConnectorCall',
  summary: 'Get how a connector call stands, with its result once it is done',
  description:
    'The result is for the one who called; others who may read the ledger get the same without `data`. Results are kept for a day after they were delivered.',
  method: 'get',
  path: one,
  request: { params: CallParams, query: z.object({ wait_seconds: wait_seconds.optional() }) },
  responses: { 200: json(CallState, 'The call'), ...refusals(400, 403, 404) },
})

export const cancelConnectorCall = createRoute({
  ...common,
  ...everyActor,
  operationId: 'cancelConnectorCall',
  summary: 'Take back a connector call of yours that waits for a person',
  description: '409 `CALL_NOT_CANCELLABLE` once it is carried out, or has ended.',
  method: 'post',
  path: `${one}/cancel`,
  request: { params: CallParams },
  responses: { 200: json(ConnectorCall, 'Cancelled'), ...refusals(400, 403, 404, 409) },
})

const deciding = reachedBy({ capability: 'project.review.act' })

export const settleConnectorCall = createRoute({
  ...common,
  ...deciding,
  operationId: 'settleConnectorCall',
  summary: 'Say how a connector call ended whose end was not seen',
  description:
    'For a call that is `unknown`: look in the other service first. The session hears of it. 409 `CALL_NOT_UNKNOWN` for any other; a person’s sign-in is needed, or it is 403 `person_required`.',
  method: 'post',
  path: `${one}/settle`,
  request: {
    params: CallParams,
    body: body(
      z
        .strictObject({ outcome: z.enum(['happened', 'did_not_happen']), note: text(2000).optional() })
        .openapi('SettleConnectorCall', { example: examples.settleConnectorCall }),
    ),
  },
  responses: { 200: json(ConnectorCall, 'Settled'), ...refusals(400, 403, 404, 409, 415) },
})

const approvals = '/v1/projects/{project_id}/approvals'
const reading = reachedBy({ capability: 'project.review.read' })

export const listApprovals = createRoute({
  ...common,
  ...reading,
  operationId: 'listApprovals',
  summary: 'List the connector calls that wait for an approval, or waited',
  description: 'With their arguments, for the people who decide on them.',
  method: 'get',
  path: approvals,
  request: {
    params: ProjectParams,
    query: z.object({
      status: approvalStatuses.optional().openapi({ description: 'Only those in this state' }),
    }),
  },
  responses: {
    200: json(z.object({ approvals: z.array(Approval) }), 'At most 100, the one that expires first on top'),
    ...refusals(400, 403, 404),
  },
})

export const getApproval = createRoute({
  ...common,
  ...reading,
  operationId: 'getApproval',
  summary: 'Get a frozen connector call with everything that is decided on',
  description:
    '`digest` is of all of it, and names it in the decision: what is carried out is what was shown.',
  method: 'get',
  path: `${approvals}/{call_id}`,
  request: { params: CallParams },
  responses: { 200: json(Approval, 'The frozen call'), ...refusals(400, 403, 404) },
})

export const decideApproval = createRoute({
  ...common,
  ...deciding,
  operationId: 'decideApproval',
  summary: 'Approve or deny a frozen connector call',
  description:
    'On exactly what `digest` names: 409 `APPROVAL_STALE` for another one, 409 `APPROVAL_NOT_PENDING` once it is decided or ended. An approved call is carried out by the platform, once. It takes a person’s sign-in (403 `person_required`) that is fresh (403 `fresh_sign_in_required` with `max_age_seconds`), and where the rule says so of another person than the one who launched the session (403 `second_person_required`).',
  method: 'post',
  path: `${approvals}/{call_id}/decide`,
  request: {
    params: CallParams,
    body: body(
      z
        .strictObject({
          decision: z.enum(['approve', 'deny']),
          digest: text(64).min(1),
          message: text(2000).optional().openapi({ description: 'For the agent' }),
        })
        .openapi('DecideApproval', { example: examples.decideApproval }),
    ),
  },
  responses: { 200: json(Approval, 'Decided'), ...refusals(400, 403, 404, 409, 415) },
})
