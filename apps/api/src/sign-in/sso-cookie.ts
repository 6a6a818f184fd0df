import type { Context } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'
import { oauthPaths } from '../oauth/paths.ts'
import type { AppEnv } from '../parts.ts'

/** Ties what a provider sends back to the browser that was sent there. */
export const ssoCookie = 'svc_sso'

export function setSsoCookie(c: Context<AppEnv>, value: string | null): void {
  const options = ssoCookieOptions(c.var.ctx.settings)
  if (value === null) deleteCookie(c, ssoCookie, options)
  else setCookie(c, ssoCookie, value, options)
}

export function ssoCookieOptions({ api_url }: { readonly api_url: string }) {
  const secure = api_url.startsWith('https:')
  return { path: '/v1/auth/sso', secure, httpOnly: true, sameSite: 'Lax', maxAge: 600 } as const
}

/** What a provider led to, for the one page of the authorization server that waits for it. */
export const ssoDoneCookie = 'svc_sso_done'

export function ssoDoneOptions(settings: { readonly api_url: string }, interaction: string) {
  return { ...ssoCookieOptions(settings), path: `${oauthPaths.interaction}/${interaction}` } as const
}
