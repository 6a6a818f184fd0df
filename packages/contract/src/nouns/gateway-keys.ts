import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { CreateToken, MintedToken, Token } from './accounts.ts'
import { body, json, ProjectParams, refusals } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { ProjectId, TokenId } from '../kit/parameters.ts'

const common = { tags: ['Accounts and tokens'] }
const base = '/v1/projects/{project_id}/gateway-keys'
const rule = reachedBy({ capability: 'project.gateway.keys.manage' })

export const listGatewayKeys = createRoute({
  ...common,
  ...rule,
  operationId: 'listGatewayKeys',
  summary: 'List the gateway keys that people minted',
  description: 'Never their secrets: `prefix` is what to recognise one by. For people only.',
  method: 'get',
  path: base,
  request: { params: ProjectParams },
  responses: { 200: json(z.object({ tokens: z.array(Token) }), 'The keys'), ...refusals(400, 403, 404) },
})

export const createGatewayKey = createRoute({
  ...common,
  ...rule,
  operationId: 'createGatewayKey',
  summary: 'Mint a key for the model gateway',
  description: 'It reaches the inference routes of this one project and nothing else. For people only.',
  method: 'post',
  path: base,
  request: {
    params: ProjectParams,
    body: body(CreateToken.openapi('CreateGatewayKey', { example: examples.createGatewayKey })),
  },
  responses: { 201: json(MintedToken, 'The key'), ...refusals(400, 403, 404, 415) },
})

export const revokeGatewayKey = createRoute({
  ...common,
  ...rule,
  operationId: 'revokeGatewayKey',
  summary: 'Revoke a gateway key',
  description: 'It is of no use from the next request on. For people only.',
  method: 'delete',
  path: `${base}/{token_id}`,
  request: { params: z.object({ project_id: ProjectId, token_id: TokenId }) },
  responses: { 204: { description: 'Revoked' }, ...refusals(400, 403, 404) },
})
