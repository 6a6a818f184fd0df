import { type Context, mintToken, recordAudit } from '@svc/context'
import { gatewayKeys } from '@svc/db'
import { requireExpiry } from '../tokens/expiry.ts'
import { unknownToken } from '../tokens/present.ts'
import { requireMinter } from '../tokens/project-keys.ts'
import { keysOfGateway, presentKey, targetOf } from './present.ts'

export interface RotateInput {
  readonly project_id: string
  readonly token_id: string
  readonly grace_seconds?: number | undefined
}

/**
 * Mints a key in the place of another: with its limits, its budgets and as much time as that was given. The old one is
 * of use for the grace, and then no more.
 */
export async function rotateGatewayKey(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail'>,
  input: RotateInput,
) {
  const { project_id, token_id, grace_seconds = 0 } = input
  const { account_id, user_id, rules } = await requireMinter(ctx, keysOfGateway, project_id)
  return ctx.db.transaction().execute(async (tx) => {
    const now = ctx.now()
    const old = await gatewayKeys.lock(tx, { project_id, token_id }, now)
    if (!old) throw unknownToken()
    const ends =
      old.expires_at === null
        ? undefined
        : new Date(now.getTime() + old.expires_at.getTime() - old.created_at.getTime()).toISOString()
    const { row, secret } = await mintToken(ctx, tx, {
      kind: keysOfGateway.kind,
      name: old.name,
      user_id,
      project_id,
      expires_at: requireExpiry(ctx, rules, ends),
      rotated_from: token_id,
    })
    await gatewayKeys.setLimits(tx, row.token_id, old.limits)
    await gatewayKeys.copyBudgets(tx, { project_id, from: token_id, to: row.token_id, by: user_id, now })
    await gatewayKeys.endAt(tx, token_id, new Date(now.getTime() + grace_seconds * 1_000), now)
    await recordAudit(ctx, tx, {
      account_id,
      project_id,
      action: 'rotateGatewayKey',
      target: targetOf(input),
      details: { token_id: row.token_id, grace_seconds },
    })
    return { ...presentKey({ ...row, limits: old.limits }), token: secret }
  })
}
