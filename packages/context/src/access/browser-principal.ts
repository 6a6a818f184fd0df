import { timingSafeEqual } from 'node:crypto'
import type { ProjectPrincipal, UserPrincipal } from '@svc/access'
import { type BrowserSessionRow, browserSessions, oauth, signIns, tokens } from '@svc/db'
import type { BaseContext } from '../context.ts'
import { storedCredential, tokenHash, unauthorized } from './credential.ts'
import { oauthFacts, requireFullScope } from './oauth-principal.ts'
import { revoked } from './refused-credential.ts'
import { principalOfSignIn } from './sign-in-principal.ts'
import { principalOfToken } from './token-principal.ts'

type Asking = Pick<BaseContext, 'db' | 'now'>
type BrowserPrincipal = UserPrincipal | ProjectPrincipal

/** Times of a browser session, in milliseconds: without use it rests so long, and with any it lasts no longer. */
export const browserLives = { rest: 12 * 3_600_000, kept: 30 * 86_400_000, whole: 90 * 86_400_000 } as const

/**
 * The person whose browser asks: the cookie alone is no credential, since a browser sends it for a page on another port
 * too. `page_key` lies where only pages of the platform's own origin read it.
 */
export async function authenticateBrowser(
  ctx: Asking,
  { cookie, page_key }: { readonly cookie: string; readonly page_key: string },
): Promise<BrowserPrincipal> {
  const credential = storedCredential(cookie)
  if (credential?.prefix !== 'svc_bws_') throw unauthorized()
  const row = await browserSessions.findByCookie(ctx.db, credential.hash)
  if (!row || !timingSafeEqual(row.page_key_hash, tokenHash(page_key))) throw unauthorized()
  return principalOf(ctx, row)
}

/** The same where the page key was proved before, by the hash of the cookie that was kept. */
export async function browserPrincipal(ctx: Asking, cookie_hash: Buffer): Promise<BrowserPrincipal> {
  const row = await browserSessions.findByCookie(ctx.db, cookie_hash)
  if (!row) throw unauthorized()
  return principalOf(ctx, row)
}

async function principalOf(ctx: Asking, row: BrowserSessionRow): Promise<BrowserPrincipal> {
  const { browser_session_id, user_id } = row
  if (row.expires_at <= ctx.now())
    throw revoked({ type: 'user', user_id, token_id: browser_session_id, browser_session_id })
  const principal = await sourceOf(ctx, row)
  await prolong(ctx, row)
  return { ...principal, browser_session_id }
}

/** The credential that the session was opened with, as it is now. */
async function sourceOf(ctx: Asking, row: BrowserSessionRow): Promise<BrowserPrincipal> {
  const ended = () => revoked({ type: 'user', user_id: row.user_id, token_id: row.browser_session_id })
  if (row.sign_in_id !== null) {
    const found = await signIns.find(ctx.db, row.sign_in_id)
    if (!found) throw ended()
    return principalOfSignIn(ctx, found)
  }
  if (row.token_id !== null) {
    const token = await tokens.find(ctx.db, row.token_id)
    if (!token) throw ended()
    const principal = await principalOfToken(ctx, token)
    if (principal.type !== 'user' && principal.type !== 'project') throw ended()
    return principal
  }
  const { grant_hash, client_id, scope, user_id, browser_session_id: token_id } = row
  if (grant_hash === null || client_id === null) throw ended()
  const approval = await oauth.findApproval(ctx.db, { grant_hash, user_id }, ctx.now())
  if (!approval) throw ended()
  const app = { type: 'user', user_id, token_id, oauth: oauthFacts({ client_id, scope }, approval) } as const
  requireFullScope(app)
  return app
}

/** Notes the use, once a minute. */
async function prolong(ctx: Asking, row: BrowserSessionRow): Promise<void> {
  const now = ctx.now().getTime()
  if (now - row.last_seen_at.getTime() <= 60_000) return
  const { rest, kept, whole } = browserLives
  const expires = Math.min(now + (row.keep ? kept : rest), row.created_at.getTime() + whole)
  const seen = { last_seen_at: new Date(now), expires_at: new Date(expires) }
  await browserSessions.touch(ctx.db, row.browser_session_id, seen)
}
