import { decidePlatformAdmin, type UserPrincipal } from '@svc/access'
import { platformAdmins } from '@svc/db'
import type { Context } from '../context.ts'
import { denied, forbidden, requireUser } from './require.ts'

/** The person; refuses one who does not run the platform. Every verb of the operator's surface calls this first. */
export async function requirePlatformAdmin(
  ctx: Pick<Context, 'db' | 'principal' | 'trail'>,
): Promise<UserPrincipal> {
  const person = requireUser(ctx, 'platform.admin')
  const is_admin = await platformAdmins.isOne(ctx.db, person.user_id)
  const decision = decidePlatformAdmin(person, { is_admin })
  if (decision.kind === 'refused') throw denied(ctx, forbidden('platform.admin', decision.reason))
  return person
}

/** True for a caller whom that lets in. */
export async function isPlatformAdmin({
  db,
  principal,
}: Pick<Context, 'db' | 'principal'>): Promise<boolean> {
  if (principal.type !== 'user') return false
  const is_admin = await platformAdmins.isOne(db, principal.user_id)
  return decidePlatformAdmin(principal, { is_admin }).kind === 'allowed'
}
