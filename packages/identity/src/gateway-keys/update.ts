import { type Context, recordAudit, requireProject } from '@svc/context'
import { gatewayKeys } from '@svc/db'
import { unknownToken } from '../tokens/present.ts'
import { changedLimits, type LimitsChange } from './limits.ts'
import { keysOfGateway, presentKey, targetOf } from './present.ts'

export interface GatewayKeyChange {
  readonly project_id: string
  readonly token_id: string
  readonly name?: string | undefined
  readonly limits?: LimitsChange | undefined
}

/** Renames a key, or changes limits of it; they hold from its next call on. */
export async function updateGatewayKey(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail'>,
  input: GatewayKeyChange,
) {
  const { project_id, token_id, name, limits: change } = input
  const { account_id } = await requireProject(ctx, project_id, keysOfGateway.capability)
  return ctx.db.transaction().execute(async (tx) => {
    const key = await gatewayKeys.lock(tx, { project_id, token_id }, ctx.now())
    if (!key) throw unknownToken()
    const limits = changedLimits(change ?? {}, key.limits)
    if (name !== undefined) await gatewayKeys.rename(tx, token_id, name)
    if (change !== undefined) await gatewayKeys.setLimits(tx, token_id, limits)
    await recordAudit(ctx, tx, {
      account_id,
      project_id,
      action: 'updateGatewayKey',
      target: targetOf(input),
      details: {
        ...(name === undefined ? {} : { name }),
        ...(change === undefined ? {} : { limits: change }),
      },
    })
    return presentKey({ ...key, name: name ?? key.name, limits })
  })
}
