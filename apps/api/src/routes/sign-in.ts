import { OpenAPIHono } from '@hono/zod-openapi'
import { signIn } from '@svc/contract'
import * as verbs from '@svc/services'
import { getCookie } from 'hono/cookie'
import type { AppEnv } from '../parts.ts'
import { setSsoCookie, ssoCookie } from '../sign-in/sso-cookie.ts'

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
  app.openapi(signIn.listSsoProviders, (c) => c.json(verbs.listSsoProviders(c.var.ctx), 200))
  app.openapi(signIn.beginSso, async (c) => {
    const { url, cookie } = await verbs.beginSso(c.var.ctx, c.req.valid('param'))
    setSsoCookie(c, cookie)
    return c.redirect(url, 302)
  })
  app.openapi(signIn.finishSso, async (c) => {
    const { ctx } = c.var
    const query = new URL(c.req.url).search
    const cookie = getCookie(c, ssoCookie)
    setSsoCookie(c, null)
    const { link_token } = await verbs.finishSso(ctx, { ...c.req.valid('param'), query, cookie })
    const page = ctx.settings.sign_in_url
    return page === undefined
      ? c.json({ type: 'sso' as const, link_token }, 200)
      : c.redirect(`${page}#type=sso&token=${link_token}`, 303)
  })
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
  app.openapi(signIn.enrolTotp, async (c) =>
    c.json(await verbs.enrolTotp(c.var.ctx, c.req.valid('json')), 200),
  )
  app.openapi(signIn.confirmTotp, async (c) =>
    c.json(await verbs.confirmTotp(c.var.ctx, c.req.valid('json')), 200),
  )
  app.openapi(signIn.disableTotp, async (c) => {
    await verbs.disableTotp(c.var.ctx, c.req.valid('json'))
    return c.body(null, 204)
  })
  app.openapi(signIn.getSignInRules, async (c) =>
    c.json(await verbs.getSignInRules(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(signIn.setSignInRules, async (c) =>
    c.json(await verbs.setSignInRules(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }), 200),
  )
  return app
}
