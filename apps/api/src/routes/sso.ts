import { OpenAPIHono } from '@hono/zod-openapi'
import { accountSso, domains, signInRules, sso } from '@svc/contract'
import * as verbs from '@svc/identity'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { AppEnv } from '../parts.ts'
import { ssoCookie, ssoDoneCookie } from '../sign-in/sso-cookie.ts'

/** The routes by which browsers go to providers and come back from them. */
export function ssoRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(sso.listSsoProviders, async (c) =>
    c.json(await verbs.listSsoProviders(c.var.ctx, c.req.valid('query')), 200),
  )
  app.openapi(sso.beginSso, async (c) => {
    const { ctx } = c.var
    const { url, cookie } = await verbs.beginSso(ctx, c.req.valid('param'))
    const { name, options } = ssoCookie(ctx.settings)
    setCookie(c, name, cookie, options)
    return c.redirect(url, 302)
  })
  app.openapi(sso.finishSso, async (c) => {
    const { ctx } = c.var
    const query = new URL(c.req.url).search
    const { name, options } = ssoCookie(ctx.settings)
    const cookie = getCookie(c, name)
    deleteCookie(c, name, options)
    const input = { ...c.req.valid('param'), query, cookie }
    const { link_token, interaction } = await verbs.finishSso(ctx, input)
    if (interaction !== null) {
      const done = ssoDoneCookie(ctx.settings, interaction)
      setCookie(c, done.name, link_token, done.options)
      return c.redirect(done.options.path, 303)
    }
    const page = ctx.settings.sign_in_url
    return page === undefined
      ? c.json({ type: 'sso' as const, link_token }, 200)
      : c.redirect(`${page}#type=sso&token=${link_token}`, 303)
  })
  return app
}

/** An account's demands on sign-ins: its rules, its mail domains, and its own provider. */
export function accountSignInRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(signInRules.getSignInRules, async (c) =>
    c.json(await verbs.getSignInRules(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(signInRules.setSignInRules, async (c) =>
    c.json(await verbs.setSignInRules(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }), 200),
  )
  app.openapi(domains.listDomains, async (c) =>
    c.json(await verbs.listDomains(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(domains.claimDomain, async (c) =>
    c.json(await verbs.claimDomain(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }), 201),
  )
  app.openapi(domains.verifyDomain, async (c) =>
    c.json(await verbs.verifyDomain(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(domains.deleteDomain, async (c) => {
    await verbs.deleteDomain(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  app.openapi(accountSso.getAccountSso, async (c) =>
    c.json(await verbs.getAccountSso(c.var.ctx, c.req.valid('param')), 200),
  )
  app.openapi(accountSso.setAccountSso, async (c) =>
    c.json(await verbs.setAccountSso(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') }), 200),
  )
  app.openapi(accountSso.deleteAccountSso, async (c) => {
    await verbs.deleteAccountSso(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
  return app
}
