import { recordOperatorAudit, requirePlatformAdmin } from '@svc/context'
import { type AccountRow, accounts, allAccounts, credit, type Db, plans } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { Tier } from '@svc/facts'
import { sweepEvictions } from '@svc/services'
import type { Changing } from '../context.ts'
import { noSuchAccount, readAccount } from './accounts.ts'

export interface AccountChanges {
  readonly tier?: Tier | undefined
  readonly limits?:
    | {
        readonly live_sessions?: number | null | undefined
        readonly projects?: number | null | undefined
        readonly storage_mb?: number | null | undefined
      }
    | undefined
  readonly billing_state?: 'active' | 'past_due' | 'canceled' | undefined
  readonly suspended?: boolean | undefined
  readonly suspended_reason?: string | null | undefined
}

/**
 * Changes what is named and leaves the rest. A suspension holds from the next request on, and the sandboxes of the account
 * are saved and stopped.
 */
export async function updateOperatedAccount(
  ctx: Changing,
  { account_id, ...input }: AccountChanges & { readonly account_id: string },
) {
  const { user_id } = await requirePlatformAdmin(ctx)
  if (input.suspended === true && (await allAccounts.isMember(ctx.db, { account_id, user_id })))
    throw new ServiceError(
      'conflict',
      'You belong to this account and cannot suspend it; ask another platform admin.',
    )
  await ctx.db.transaction().execute(async (tx) => {
    const before = await allAccounts.lock(tx, account_id)
    if (!before) throw noSuchAccount()
    const patch = patchOf(before, input, ctx.now())
    const changed = Object.entries(patch).filter(([key, value]) =>
      differs(before[key as keyof AccountRow], value),
    )
    const billed = await setBilling(tx, account_id, input, ctx.now())
    if (changed.length === 0 && billed === null) return
    await requirePlan(tx, input.tier)
    if (changed.length > 0) await accounts.update(tx, account_id, patch)
    await recordOperatorAudit(ctx, tx, {
      account_id,
      action: 'updateOperatedAccount',
      target: `admin/accounts/${account_id}`,
      details: { ...Object.fromEntries(changed), ...billed },
    })
  })
  if (input.suspended === true) await sweepEvictions(ctx)
  return readAccount(ctx, account_id)
}

async function requirePlan(tx: Db, tier: Tier | undefined): Promise<void> {
  if (tier === undefined || (await plans.find(tx, tier))) return
  throw new ServiceError('invalid_request', `There is no plan ${tier}; list the plans: GET /v1/admin/plans`, {
    issues: [{ path: 'tier', message: 'must be the name of a plan' }],
  })
}

/** Decides whether the credit of the account pays; null where that is so already, or was not asked. */
async function setBilling(tx: Db, account_id: string, { billing_state }: AccountChanges, now: Date) {
  if (billing_state === undefined) return null
  const before = await credit.find(tx, account_id)
  if (before === undefined)
    throw new ServiceError(
      'conflict',
      'This account has no credit whose state could change; add some first: POST /v1/admin/accounts/{account_id}/credit',
    )
  const after = await credit.setState(tx, account_id, billing_state, now)
  return after === before.billing_state ? null : { billing_state: after }
}

type Patch = Partial<
  Pick<
    AccountRow,
    | 'tier'
    | 'limit_live_sessions'
    | 'limit_projects'
    | 'limit_storage_mb'
    | 'suspended_at'
    | 'suspended_reason'
  >
>

function patchOf(before: AccountRow, input: AccountChanges, now: Date): Patch {
  const { live_sessions, projects, storage_mb } = input.limits ?? {}
  return {
    ...(input.tier === undefined ? {} : { tier: input.tier }),
    ...(live_sessions === undefined ? {} : { limit_live_sessions: live_sessions }),
    ...(projects === undefined ? {} : { limit_projects: projects }),
    ...(storage_mb === undefined ? {} : { limit_storage_mb: storage_mb }),
    ...suspensionOf(before, input, now),
  }
}

/** A reason stands beside a suspension alone, and one that is not given again stays. */
function suspensionOf(
  { suspended_at, suspended_reason }: AccountRow,
  { suspended = suspended_at !== null, suspended_reason: reason = suspended_reason }: AccountChanges,
  now: Date,
): Pick<Patch, 'suspended_at' | 'suspended_reason'> {
  if (suspended) return { suspended_at: suspended_at ?? now, suspended_reason: reason }
  if (reason !== null && reason !== suspended_reason)
    throw new ServiceError(
      'invalid_request',
      '`suspended_reason` is for an account that is suspended; send `suspended: true` with it.',
    )
  return { suspended_at: null, suspended_reason: null }
}

function differs(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) !== JSON.stringify(after)
}
