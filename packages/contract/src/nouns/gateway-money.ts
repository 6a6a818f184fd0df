import { createRoute, z } from '@hono/zod-openapi'
import { spendGroups } from '@svc/facts'
import { reachedBy } from '../kit/access.ts'
import { json, PageQuery, ProjectParams, refusals, text, Timestamp } from '../kit/common.ts'
import { CallId, ProjectId, SessionId, TokenId } from '../kit/parameters.ts'
import { CallStatus, GatewayCall, GatewayCallWithPrice } from '../money/records.ts'
import { budgetRoutes, spendRoute } from '../money/routes.ts'

const base = '/v1/projects/{project_id}/gateway'
const tag = 'Spend'

const place = {
  base,
  params: { project_id: ProjectId },
  tag,
  word: '',
  of: 'a project',
  read: { capability: 'project.gateway.spend.read' },
  write: { capability: 'project.gateway.budget.set' },
} as const

export const {
  list: listGatewayBudgets,
  create: createGatewayBudget,
  update: updateGatewayBudget,
  remove: deleteGatewayBudget,
} = budgetRoutes({
  ...place,
  levels:
    'Of each call, of a session, trigger, agent or key (`subject`, else each by itself), or of the whole project.',
})

export const getGatewaySpend = spendRoute({ ...place, groups: spendGroups })

const logs = { tags: [tag], ...reachedBy({ capability: 'project.gateway.logs.read' }) }

export const listGatewayCalls = createRoute({
  ...logs,
  operationId: 'listGatewayCalls',
  summary: 'List model calls, the newest first',
  description: 'One row a call, from its admission on; refused ones too. No prompt and no answer is in it.',
  method: 'get',
  path: `${base}/logs`,
  request: {
    params: ProjectParams,
    query: PageQuery.extend({
      session_id: SessionId.optional(),
      agent: text(255).min(1).optional().openapi({ description: 'The name of an agent' }),
      model: text(256).min(1).optional().openapi({ description: '`provider/model`, as rows have it' }),
      status: CallStatus.optional(),
      code: text(64).min(1).optional().openapi({ description: 'The code of a refusal or a failure' }),
      token_id: TokenId.optional(),
      since: Timestamp.optional().openapi({ description: 'From this instant on' }),
      until: Timestamp.optional().openapi({ description: 'Before this instant' }),
    }),
  },
  responses: {
    200: json(
      z
        .object({ calls: z.array(GatewayCall), next_cursor: z.string().nullable() })
        .openapi('GatewayCallPage'),
      'One page',
    ),
    ...refusals(400, 403, 404),
  },
})

export const getGatewayCall = createRoute({
  ...logs,
  operationId: 'getGatewayCall',
  summary: 'Get a model call, with the price card that gives its cost',
  description: 'A call is kept for `SVC_GATEWAY_LOG_DAYS`; after that the sums of its day are.',
  method: 'get',
  path: `${base}/logs/{call_id}`,
  request: { params: ProjectParams.extend({ call_id: CallId }) },
  responses: { 200: json(GatewayCallWithPrice, 'The call'), ...refusals(400, 403, 404) },
})
