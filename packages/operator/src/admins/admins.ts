import { recordOperatorAudit, requirePlatformAdmin } from '@svc/context'
import { type Db, platformAdmins } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { Changing, Looking } from '../context.ts'

type Candidate = platformAdmins.AdminCandidate

export async function listPlatformAdmins(ctx: Looking) {
  await requirePlatformAdmin(ctx)
  return { admins: await platformAdmins.list(ctx.db) }
}

/** By the address, which its person must have proved. `created` is false for one who is an admin already. */
export async function addPlatformAdmin(ctx: Changing, { email }: { readonly email: string }) {
  await requirePlatformAdmin(ctx)
  return ctx.db.transaction().execute(async (tx) => {
    const person = await platformAdmins.findByAddress(tx, email.trim().toLowerCase())
    if (!person) throw unknown('No person has proved this address; they have to sign in with it first.')
    return admit(ctx, tx, person, 'addPlatformAdmin')
  })
}

export async function setPlatformAdmin(ctx: Changing, { user_id }: { readonly user_id: string }) {
  await requirePlatformAdmin(ctx)
  return ctx.db.transaction().execute(async (tx) => {
    const person = await platformAdmins.findPerson(tx, user_id)
    if (!person) throw unknown('There is no such person; list the accounts to find one.')
    return (await admit(ctx, tx, person, 'setPlatformAdmin')).admin
  })
}

export async function removePlatformAdmin(ctx: Changing, { user_id }: { readonly user_id: string }) {
  await requirePlatformAdmin(ctx)
  await ctx.db.transaction().execute(async (tx) => {
    const removal = await platformAdmins.remove(tx, user_id)
    if (removal === 'none') throw unknown('This person is no platform admin.')
    if (removal === 'last')
      throw new ServiceError(
        'LAST_PLATFORM_ADMIN',
        'The last platform admin cannot be removed; add another one first.',
      )
    await record(ctx, tx, user_id, 'removePlatformAdmin')
  })
}

async function admit(
  ctx: Changing,
  tx: Db,
  { platform_admin, ...person }: Candidate,
  action: string,
): Promise<{ created: boolean; admin: platformAdmins.PlatformAdmin }> {
  const since = ctx.now()
  if (platform_admin || !(await platformAdmins.add(tx, person.user_id, since)))
    return { created: false, admin: person }
  await record(ctx, tx, person.user_id, action)
  return { created: true, admin: { ...person, since } }
}

function record(ctx: Changing, tx: Db, user_id: string, action: string): Promise<void> {
  return recordOperatorAudit(ctx, tx, { account_id: null, action, target: `admin/admins/${user_id}` })
}

const unknown = (message: string) => new ServiceError('not_found', message)
