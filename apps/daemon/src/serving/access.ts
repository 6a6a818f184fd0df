import { createMiddleware } from 'hono/factory'
import { type Authenticate, type Caller, credentialsOf, mayDrive } from '../access/authenticate.ts'
import { refusal } from './answers.ts'

export interface SvcEnv {
  Variables: { caller: Caller }
}

export function requireCaller(authenticate: Authenticate) {
  return createMiddleware<SvcEnv>(async (c, next) => {
    const query = new URL(c.req.url).searchParams
    const access = authenticate(
      credentialsOf((name) => c.req.header(name), query),
      'platform or user',
    )
    if (!access.ok) return c.json(access.body, access.status)
    c.set('caller', access.caller)
    await next()
  })
}

export const requireDriver = createMiddleware<SvcEnv>(async (c, next) => {
  if (mayDrive(c.get('caller'))) return next()
  return c.json(
    refusal(
      403,
      'Only the owner of the session or a manager of the project may do this; ask one of them',
      'forbidden',
    ),
    403,
  )
})

export const requirePlatform = createMiddleware<SvcEnv>(async (c, next) => {
  if (c.get('caller').kind === 'platform') return next()
  return c.json(refusal(403, 'Only the platform may do this', 'forbidden'), 403)
})
