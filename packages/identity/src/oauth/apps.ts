import { type Context, forbidden, recordAudit, requireUser } from '@svc/context'
import { accounts, oauthApps } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { commandLineClient, commandLineName, dashboardClient, dashboardName } from './clients.ts'

/** The apps that act for the person. */
export async function listOAuthApps(ctx: Pick<Context, 'db' | 'principal' | 'now'>) {
  const rows = await oauthApps.list(ctx.db, requireUser(ctx).user_id, ctx.now())
  return { apps: rows.map(present) }
}

/** Ends every approval of an app, and all of its tokens from the next request on. */
export async function revokeOAuthApp(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail'>,
  { client_id }: { readonly client_id: string },
): Promise<void> {
  const { user_id, oauth } = requireUser(ctx)
  if (oauth !== undefined && oauth.client_id !== client_id && oauth.client_id !== commandLineClient)
    throw forbidden('account.sign_in', 'An app ends no other app; sign in yourself')
  const [home] = await accounts.listMemberships(ctx.db, user_id)
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await oauthApps.remove(tx, { user_id, client_id }, ctx.now())))
      throw new ServiceError('not_found', 'You have approved no such app; list those that you approved')
    if (!home) return
    const target = `oauth/apps/${client_id}`
    await recordAudit(ctx, tx, { account_id: home.account_id, action: 'revokeOAuthApp', target })
  })
}

/** Names of the platform's own apps, which did not register here. */
const ownNames: Readonly<Record<string, string>> = {
  [commandLineClient]: commandLineName,
  [dashboardClient]: dashboardName,
}

function present({ name, scopes, ...app }: oauthApps.OAuthAppRow) {
  const known = ownNames[app.client_id] ?? app.client_id
  const given = new Set((scopes ?? '').split(' ').filter((scope) => scope !== ''))
  return { ...app, name: name ?? known, scopes: [...given].sort() }
}
