import { z } from '@hono/zod-openapi'

/** The payload of `X-Svc-User-Context`: the person behind a request that the platform proxies into a sandbox. */
export const UserContext = z.object({
  userId: z.string(),
  sandboxId: z.string(),
  sandboxRole: z.enum(['owner', 'manager', 'viewer']),
  scopes: z.array(z.string()),
  iat: z.int(),
  exp: z.int(),
})
export type UserContext = z.infer<typeof UserContext>

export const userContextHeader = 'x-svc-user-context'
export const userContextQuery = '__svc_user_context'
