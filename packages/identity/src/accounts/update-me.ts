import { audited, type Context, requireUser } from '@svc/context'
import { accounts } from '@svc/db'
import { getMe } from './get-me.ts'

/** The person's name, in every account that they belong to. */
export async function updateMe(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail'>,
  { name }: { readonly name: string },
) {
  const { user_id } = requireUser(ctx)
  const { account_id } = await getMe(ctx)
  const entry = { account_id, action: 'updateMe', target: `auth/users/${user_id}` }
  await audited(ctx, entry, async (tx) => {
    await accounts.renameUser(tx, user_id, name.trim())
    return null
  })
  return getMe(ctx)
}
