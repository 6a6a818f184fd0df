import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { requestOrigin } from '../docs/origin.ts'
import type { ApiParts, AppEnv } from '../parts.ts'
import { browserCookie } from '../sign-in/browser-cookie.ts'

/** The header in which a page of the dashboard sends its key. */
const pageKeyHeader = 'X-Svc-Page'

/** The one door for programs that this authentication guards; the others never read a cookie. */
const withoutCookie = /^\/v1\/mcp(?:\/|$)/

/**
 * The credential that a signed-in browser of the platform's own pages sends. Null for everything else: without the key, from another
 * site or another port, or at a door for programs a cookie is as good as none.
 */
export function browserCredential(
  c: Context<AppEnv>,
  { settings, trust_proxy = false }: Pick<ApiParts, 'settings' | 'trust_proxy'>,
): { readonly cookie: string; readonly page_key: string } | null {
  if (withoutCookie.test(c.req.path)) return null
  const page_key = c.req.header(pageKeyHeader)
  const cookie = getCookie(c, browserCookie(settings).name)
  if (page_key === undefined || cookie === undefined) return null
  const site = c.req.header('Sec-Fetch-Site')
  if (site !== undefined && site !== 'same-origin') return null
  const origin = c.req.header('Origin')
  if (origin === undefined) return { cookie, page_key }
  const own = [requestOrigin(c, trust_proxy), new URL(settings.api_url).origin]
  return own.includes(origin) ? { cookie, page_key } : null
}
