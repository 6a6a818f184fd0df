import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { json, refusals, Timestamp } from '../kit/common.ts'
import { ClientId } from '../kit/parameters.ts'

export const Userinfo = z
  .object({
    sub: z.uuid().openapi({ description: 'The `user_id`' }),
    email: z.string(),
    name: z.string(),
  })
  .openapi('Userinfo')

export const getUserinfo = createRoute({
  tags: ['Accounts and tokens'],
  operationId: 'getUserinfo',
  ...reachedBy({ any_person: true }),
  summary: 'Who approved the app',
  description: 'Reached by every OAuth access token, also by one without the scope `svc`.',
  method: 'get',
  path: '/v1/oauth/userinfo',
  responses: { 200: json(Userinfo, 'The person'), ...refusals(403) },
})

export const OAuthApp = z
  .object({
    client_id: z.string(),
    name: z.string().openapi({ description: 'As the app calls itself' }),
    scopes: z.array(z.string()),
    approvals: z
      .int()
      .openapi({ description: 'How often it was approved and stands, such as on several machines' }),
    approved_at: Timestamp.openapi({ description: 'The last time' }),
    last_used_at: Timestamp.openapi({ description: 'When it was last given a token' }),
  })
  .openapi('OAuthApp')

export const listOAuthApps = createRoute({
  tags: ['Accounts and tokens'],
  operationId: 'listOAuthApps',
  ...reachedBy({ any_person: true }),
  summary: 'List the apps that act for you',
  description: 'Those that you approved, as long as an approval stands.',
  method: 'get',
  path: '/v1/oauth/apps',
  responses: {
    200: json(z.object({ apps: z.array(OAuthApp) }), 'The one approved last comes first'),
    ...refusals(403),
  },
})

export const revokeOAuthApp = createRoute({
  tags: ['Accounts and tokens'],
  operationId: 'revokeOAuthApp',
  ...reachedBy({ any_person: true }),
  summary: 'Take back every approval of an app',
  description: 'All of its tokens are of no use from the next request on. No other app does this for you.',
  method: 'delete',
  path: '/v1/oauth/apps/{client_id}',
  request: { params: z.object({ client_id: ClientId }) },
  responses: { 204: { description: 'Taken back' }, ...refusals(400, 403, 404) },
})
