import type { Context } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'
import type { AppEnv } from '../parts.ts'

/** Ties what a provider sends back to the browser that was sent there. */
export const ssoCookie = 'svc_sso'

export function setSsoCookie(c: Context<AppEnv>, value: string | null): void {
  const secure = c.var.ctx.settings.api_url.startsWith('https:')
  const where = { path: '/v1/auth/sso', secure }
  if (value === null) deleteCookie(c, ssoCookie, where)
  else setCookie(c, ssoCookie, value, { ...where, httpOnly: true, sameSite: 'Lax', maxAge: 600 })
}
