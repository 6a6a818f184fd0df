import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { body, json, ProjectParams, refusals } from '../kit/common.ts'
import { ProjectId, TokenId } from '../kit/parameters.ts'
import {
  CreateGatewayKey,
  GatewayKey,
  MintedGatewayKey,
  RotateGatewayKey,
  UpdateGatewayKey,
} from './gateway-key-records.ts'

export { GatewayKey, MintedGatewayKey }

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
  responses: { 200: json(z.object({ tokens: z.array(GatewayKey) }), 'The keys'), ...refusals(400, 403, 404) },
})

export const createGatewayKey = createRoute({
  ...common,
  ...rule,
  operationId: 'createGatewayKey',
  summary: 'Mint a key for the model gateway',
  description:
    'It reaches the inference routes of this one project and nothing else. Over a limit a call is refused with 429, ' +
    '`Retry-After` and `X-RateLimit-*`; its money is a budget of level `key`. For people only.',
  method: 'post',
  path: base,
  request: {
    params: ProjectParams,
    body: body(CreateGatewayKey),
  },
  responses: { 201: json(MintedGatewayKey, 'The key'), ...refusals(400, 403, 404, 415) },
})

export const updateGatewayKey = createRoute({
  ...common,
  ...rule,
  operationId: 'updateGatewayKey',
  summary: 'Rename a gateway key, or change its limits',
  description:
    'A limit that is left out stays, null lifts it. They hold from the next call on. For people only.',
  method: 'patch',
  path: `${base}/{token_id}`,
  request: { params: z.object({ project_id: ProjectId, token_id: TokenId }), body: body(UpdateGatewayKey) },
  responses: { 200: json(GatewayKey, 'The key'), ...refusals(400, 403, 404, 415) },
})

export const rotateGatewayKey = createRoute({
  ...common,
  ...rule,
  operationId: 'rotateGatewayKey',
  summary: 'Mint another key in the place of one',
  description:
    'It has the same limits, budgets of its own with as much spent, and an expiry as far away as that of the old one was. ' +
    'The old key ends after `grace_seconds`, or at once. For people only.',
  method: 'post',
  path: `${base}/{token_id}/rotate`,
  request: {
    params: z.object({ project_id: ProjectId, token_id: TokenId }),
    body: body(RotateGatewayKey, false),
  },
  responses: { 201: json(MintedGatewayKey, 'The key in its place'), ...refusals(400, 403, 404, 415) },
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
