import { type BaseContext, mintToken, tokenHash } from '@svc/context'
import { accounts, members, tokens } from '@svc/db'

export interface Bootstrap {
  readonly account_id: string
  readonly user_id: string
  readonly token: string
}

/**
 * The first account of an embedded platform, its owner and a token of theirs. What an earlier start left is kept while
 * its token works; a lost or revoked token is replaced.
 */
export async function ensureFirstAccount(
  ctx: Pick<BaseContext, 'db' | 'now' | 'newId'>,
  known: Bootstrap | null,
): Promise<Bootstrap> {
  const token = known === null ? undefined : await tokens.findByHash(ctx.db, tokenHash(known.token))
  if (known !== null && token && token.revoked_at === null && token.user_id === known.user_id) {
    return { account_id: known.account_id, user_id: known.user_id, token: known.token }
  }

  const owner = (await members.findFirstOwner(ctx.db)) ?? (await createOwner(ctx))
  const { secret } = await mintToken(ctx, ctx.db, {
    kind: 'user',
    name: 'bootstrap',
    user_id: owner.user_id,
    project_id: null,
  })
  return { ...owner, token: secret }
}

async function createOwner(ctx: Pick<BaseContext, 'db' | 'now' | 'newId'>) {
  const created_at = ctx.now()
  const account_id = ctx.newId()
  const user_id = ctx.newId()
  await accounts.createWithOwner(
    ctx.db,
    { account_id, name: 'My account', tier: 'self_host', gateway_new_projects: true, created_at },
    {
      ...{ user_id, email: 'owner@svc.invalid', name: 'Owner', created_at },
      ...{ platform_admin: true, platform_admin_since: created_at },
    },
  )
  return { account_id, user_id }
}
