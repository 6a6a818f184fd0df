import { OpenAPIHono } from '@hono/zod-openapi'
import { signIn, twoFactor } from '@svc/contract'
import * as verbs from '@svc/identity'
import type { AppEnv } from '../parts.ts'

export function signInRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(signIn.signUp, async (c) => c.json(await verbs.signUp(c.var.ctx, c.req.valid('json')), 200))
  app.openapi(signIn.signInWithPassword, async (c) => {
    const { ctx } = c.var
    const input = { ...c.req.valid('json'), ip: ctx.trail?.ip ?? null }
    const { session, user } = await verbs.signInWithPassword(ctx, input)
    return c.json({ session, user }, 200)
  })
  app.openapi(signIn.askForMagicLink, async (c) =>
    c.json(await verbs.askForMagicLink(c.var.ctx, c.req.valid('json')), 200),
  )
  app.openapi(signIn.verifyOtp, async (c) =>
    c.json(await verbs.verifyOtp(c.var.ctx, c.req.valid('json')), 200),
  )
  app.openapi(signIn.refreshSignIn, async (c) =>
    c.json(await verbs.refreshSignIn(c.var.ctx, c.req.valid('json')), 200),
  )
  app.openapi(signIn.resetPassword, async (c) => {
    const input = c.req.valid('json')
    const { ctx } = c.var
    return 'password' in input
      ? c.json(await verbs.resetPassword(ctx, input), 200)
      : c.json(await verbs.askForPasswordReset(ctx, input), 200)
  })
  app.openapi(signIn.signOut, async (c) => {
    await verbs.signOut(c.var.ctx, { scope: c.req.valid('json').scope ?? 'local' })
    return c.body(null, 204)
  })
  app.openapi(signIn.getAuthUser, async (c) => c.json(await verbs.getAuthUser(c.var.ctx), 200))
  app.openapi(signIn.changePassword, async (c) =>
    c.json(await verbs.changePassword(c.var.ctx, c.req.valid('json')), 200),
  )
  return app
}

/** The second factor of the signed-in person. */
export function twoFactorRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(twoFactor.enrolTotp, async (c) =>
    c.json(await verbs.enrolTotp(c.var.ctx, c.req.valid('json')), 200),
  )
  app.openapi(twoFactor.confirmTotp, async (c) =>
    c.json(await verbs.confirmTotp(c.var.ctx, c.req.valid('json')), 200),
  )
  app.openapi(twoFactor.disableTotp, async (c) => {
    await verbs.disableTotp(c.var.ctx, c.req.valid('json'))
    return c.body(null, 204)
  })
  return app
}
