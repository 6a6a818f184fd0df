import { boundedRequest } from '@svc/contract/sandbox'
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { envNamePattern, platformNamePattern } from '@svc/facts'
import { z } from 'zod'
import type { Authenticate } from '../access/authenticate.ts'
import { daemonLimits } from '../limits.ts'
import type { Log } from '../log.ts'
import type { Monitors } from '../monitors/monitors.ts'
import { monitorRoutes } from '../monitors/routes.ts'
import { RuntimeRefusal } from '../runtimes/runtime.ts'
import { requireCaller, requireDriver, requirePlatform, type SvcEnv } from '../serving/access.ts'
import { refusal } from '../serving/answers.ts'
import { readBody, readQuery } from '../serving/body.ts'
import { inboxRoutes, type InboxRoutesParts } from './inbox-routes.ts'
import { runtimeFailure, runtimeRoutes, type RuntimeRoutesParts } from './runtime-routes.ts'

export interface AppParts extends RuntimeRoutesParts, InboxRoutesParts {
  readonly authenticate: Authenticate
  /** `waitMs`: how long it may keep the answer back for a clone that is on its way. */
  readonly health: (waitMs: number) => Promise<object>
  readonly monitors: Monitors | null
  readonly log: Log
}

const Name = z
  .string()
  .regex(envNamePattern, 'is not a name of a variable')
  .refine((name) => !platformNamePattern.test(name), 'is reserved for the platform')
const Value = z.string().refine((value) => !value.includes('\0'), 'must not contain NUL')
const EnvBody = z.object({
  set: z.record(Name, Value).default({}),
  unset: z.array(Name).default([]),
  revision: z.string().min(1).max(255).optional(),
})

const DrainBody = z.object({
  why: z.string().min(1).max(1_000),
  within_ms: z.number().int().min(0).max(60_000),
})
const HealthQuery = z.object({ wait_ms: z.coerce.number().int().min(0).max(10_000).default(0) })
const WithdrawBody = z.object({ prompt_id: z.uuid() })

/** Everything under `/svc`. */
export function createApp(parts: AppParts): Hono<SvcEnv> {
  const { authenticate, session, log } = parts
  const app = new Hono<SvcEnv>()

  app.get('/svc/health', async (c) => c.json(await parts.health(readQuery(c, HealthQuery).wait_ms)))

  app.use('/svc/*', requireCaller(authenticate))
  // Before the bound of other bodies: a file has one of its own.
  app.route('/svc/inbox', inboxRoutes(parts))
  app.use('/svc/*', async (c, next) => {
    const bounded = await boundedRequest(c.req.raw, daemonLimits.jsonBodyBytes)
    if (bounded === null) return c.json(refusal(413, 'The body is too large', 'payload_too_large'), 413)
    c.req.raw = bounded
    return next()
  })
  app.post('/svc/refresh', requireDriver, async (c) => c.json(await session.refresh()))
  app.post('/svc/drain', requirePlatform, async (c) => {
    const { why, within_ms } = await readBody(c, DrainBody)
    return c.json(await session.drain(why, within_ms))
  })
  app.post('/svc/withdraw', requirePlatform, async (c) => {
    const { prompt_id } = await readBody(c, WithdrawBody)
    if (session.withdraw(prompt_id)) return c.json({ ok: true })
    return c.json(
      refusal(409, 'This prompt waits here no longer; its turn has begun or ended', 'prompt_not_waiting'),
      409,
    )
  })
  app.post('/svc/abort', requireDriver, async (c) => {
    await session.stop()
    return c.json({ ok: true })
  })
  app.post('/svc/env', requirePlatform, async (c) =>
    c.json(session.changeEnvironment(await readBody(c, EnvBody))),
  )
  app.route('/svc/runtime', runtimeRoutes(parts))
  app.route('/svc/monitors', monitorRoutes(parts.monitors))

  app.notFound((c) => c.json(refusal(404, 'The daemon has no such route', 'not_found'), 404))
  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse()
    if (error instanceof RuntimeRefusal) return runtimeFailure(error, c)
    log.error('a request failed', { path: c.req.path, error })
    return c.json(refusal(500, 'The daemon failed'), 500)
  })
  return app
}
