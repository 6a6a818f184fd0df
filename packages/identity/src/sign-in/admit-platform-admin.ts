import { askerFor, recordPlatformAudit } from '@svc/context'
import { type Db, platformAdmins, userCredentials } from '@svc/db'
import type { SignInContext } from './context.ts'

type AdmitContext = Pick<SignInContext, 'settings' | 'now' | 'newId'>

/** Lets in a person who proved one of the addresses that the operator named. */
export async function admitNamedAdmin(ctx: AdmitContext, tx: Db, user_id: string): Promise<void> {
  const named = ctx.settings.platform_admins ?? []
  if (named.length === 0) return
  const person = await userCredentials.find(tx, user_id)
  if (!person || person.email_verified_at === null || !named.includes(person.email.toLowerCase())) return
  if (await platformAdmins.add(tx, user_id, ctx.now())) await record(ctx, tx, user_id, 'SVC_PLATFORM_ADMINS')
}

/** Lets in the owner of the platform's first account. */
export async function admitFirstOwner(
  ctx: AdmitContext,
  tx: Db,
  owner: { readonly user_id: string; readonly account_id: string },
): Promise<void> {
  if (await platformAdmins.addFirst(tx, owner, ctx.now()))
    await record(ctx, tx, owner.user_id, 'first account')
}

async function record(ctx: AdmitContext, tx: Db, user_id: string, by: string): Promise<void> {
  const [action, target] = ['setPlatformAdmin', `admin/admins/${user_id}`]
  await recordPlatformAudit(ctx, tx, askerFor(user_id), { account_id: null, action, target, details: { by } })
}
