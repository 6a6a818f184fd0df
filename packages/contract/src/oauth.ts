import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from './access.ts'
import { json, refusals } from './common.ts'

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
