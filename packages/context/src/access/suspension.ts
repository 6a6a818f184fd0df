import type { Suspension } from '@svc/db'
import { accounts } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { Context } from '../context.ts'

/** Refuses whatever does more than read in an account that an operator suspended. */
export function requireActive(ctx: Pick<Context, 'trail'>, suspension: Suspension): void {
  if (suspension.suspended_at === null || ctx.trail?.reads === true) return
  if (ctx.trail) ctx.trail.denied = true
  throw suspended(suspension)
}

/** The same where a request names nothing but the account. */
export async function requireActiveAccount(
  ctx: Pick<Context, 'db' | 'trail'>,
  account_id: string,
): Promise<void> {
  if (ctx.trail?.reads === true) return
  const account = await accounts.find(ctx.db, account_id)
  if (account) requireActive(ctx, account)
}

export function suspended({ suspended_reason }: Suspension): ServiceError {
  const why = suspended_reason === null ? '' : `: ${suspended_reason.replace(/[.\s]+$/, '')}`
  return new ServiceError(
    'account_suspended',
    `The operator of the platform has suspended this account${why}. What is there can be read; ask the operator to resume it.`,
    { reason: suspended_reason },
  )
}
