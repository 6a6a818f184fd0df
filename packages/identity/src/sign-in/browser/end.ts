import { dashboardClient } from '@svc/access'
import { requireUser } from '@svc/context'
import { browserSessions, oauth } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { IdentityContext } from '../../context.ts'
import { recordSignIn } from '../audit.ts'

type EndContext = Pick<IdentityContext, 'db' | 'principal' | 'now' | 'newId' | 'trail'>

/** Ends one of the person's browser sessions, from the next request on. */
export async function endBrowserSession(
  ctx: EndContext,
  { browser_session_id }: { readonly browser_session_id: string },
): Promise<void> {
  const { user_id } = requireUser(ctx)
  if (!(await end(ctx, user_id, browser_session_id)))
    throw new ServiceError('not_found', 'You are not signed in with such a browser; list your sign-ins')
}

/** Ends the browser session of the browser that asks. */
export async function endOwnBrowserSession(ctx: EndContext): Promise<void> {
  const { browser_session_id, user_id } = ctx.principal.type === 'project' ? ctx.principal : requireUser(ctx)
  if (browser_session_id === undefined)
    throw new ServiceError(
      'invalid_request',
      'This credential is no browser session; POST /v1/auth/sign-out ends a sign-in',
    )
  await end(ctx, user_id, browser_session_id)
}

/** With the approval of the platform's own pages, which was given for that browser alone: the next click there asks who it is. */
function end(ctx: EndContext, user_id: string, browser_session_id: string): Promise<boolean> {
  return ctx.db.transaction().execute(async (tx) => {
    const ended = await browserSessions.end(tx, { user_id, browser_session_id })
    if (ended === undefined) return false
    if (ended.grant_hash !== null && ended.client_id === dashboardClient) {
      await oauth.removeFamily(tx, ended.grant_hash, ctx.now())
      await oauth.removeBrowsers(tx, user_id, ctx.now())
    }
    const target = `auth/browsers/${browser_session_id}`
    await recordSignIn(ctx, tx, { user_id, action: 'endBrowserSession', target })
    return true
  })
}
