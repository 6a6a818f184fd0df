import { dashboardClient, type ProjectPrincipal, type UserPrincipal } from '@svc/access'
import { browserLives, newSecret, requireUser, tokenHash, unauthorized } from '@svc/context'
import { type BrowserSessionRow, browserSessions, type Db, oauth, signIns, userCredentials } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { IdentityContext } from '../../context.ts'
import { recordSignIn } from '../audit.ts'
import { presentPerson, type SignInPerson } from '../issue.ts'

type OpenContext = Pick<IdentityContext, 'db' | 'principal' | 'now' | 'newId' | 'trail'>
type Source = Pick<
  BrowserSessionRow,
  'source' | 'sign_in_id' | 'token_id' | 'grant_hash' | 'client_id' | 'scope'
>

export interface OpenedBrowserSession {
  /** The value of the cookie, which nothing shows again. */
  readonly cookie: string
  readonly max_age_seconds: number
  readonly session: {
    readonly browser_session_id: string
    readonly page_key: string
    readonly user: SignInPerson
    readonly expires_at: Date
  }
}

/**
 * Exchanges a person's bearer for a browser session, which has its power and ends with it. The tokens of a sign-in are
 * spent by that: no copy of them is of use afterwards.
 */
export async function openBrowserSession(
  ctx: OpenContext,
  { keep, user_agent }: { readonly keep: boolean; readonly user_agent: string | null },
): Promise<OpenedBrowserSession> {
  const person = requireBearer(ctx)
  const { user_id } = person
  const user = await userCredentials.find(ctx.db, user_id)
  if (!user) throw unauthorized()
  const [cookie, page_key] = [newSecret('svc_bws_'), newSecret('svc_bwk_')]
  const created_at = ctx.now()
  const expires_at = new Date(created_at.getTime() + (keep ? browserLives.kept : browserLives.rest))
  const browser_session_id = ctx.newId()
  await ctx.db.transaction().execute(async (tx) => {
    const source = await sourceOf(tx, person, created_at)
    await browserSessions.forgetOld(tx, created_at)
    await browserSessions.insert(tx, {
      ...source,
      browser_session_id,
      user_id,
      cookie_hash: tokenHash(cookie),
      page_key_hash: tokenHash(page_key),
      keep,
      user_agent: user_agent === null ? null : user_agent.slice(0, 255),
      created_at,
      last_seen_at: created_at,
      expires_at,
    })
    const details = { browser_session_id, source: source.source, keep }
    const target = `auth/browsers/${browser_session_id}`
    await recordSignIn(ctx, tx, { user_id, action: 'openBrowserSession', target, details })
  })
  return {
    cookie,
    max_age_seconds: browserLives.whole / 1000,
    session: { browser_session_id, page_key, user: presentPerson(user), expires_at },
  }
}

/** A person, or a token that they bound to one project. */
function requireBearer(ctx: OpenContext): UserPrincipal | ProjectPrincipal {
  const person = ctx.principal.type === 'project' ? ctx.principal : requireUser(ctx)
  if (person.browser_session_id === undefined) return person
  throw new ServiceError(
    'invalid_request',
    'This browser is signed in already; send the token of a new sign-in as Authorization: Bearer <token>',
  )
}

const none = { sign_in_id: null, token_id: null, grant_hash: null, client_id: null, scope: null }

async function sourceOf(tx: Db, person: UserPrincipal | ProjectPrincipal, now: Date): Promise<Source> {
  if (person.type === 'project') return { ...none, source: 'token', token_id: person.token_id }
  if (person.sign_in !== undefined) {
    const { sign_in_id } = person.sign_in
    if (!(await signIns.spendAll(tx, sign_in_id, now))) throw unauthorized()
    return { ...none, source: 'sign_in', sign_in_id }
  }
  if (person.oauth === undefined) return { ...none, source: 'token', token_id: person.token_id }
  const found = await oauth.findGrantOf(tx, person.token_id)
  if (!found || found.grant_hash === null) throw unauthorized()
  const { grant_hash, scope } = found
  const { client_id } = person.oauth
  // The pages' own tokens have done their work; those of another app go on.
  if (client_id === dashboardClient) await oauth.endTokensOf(tx, grant_hash, now)
  return { ...none, source: 'app', grant_hash, client_id, scope }
}
