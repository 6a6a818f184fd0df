import type { Settings } from '@svc/context'
import { sessionCapacity, type accounts, type Db } from '@svc/db'
import { ServiceError } from '@svc/errors'

/** The operator's cap for all accounts, else that of the account's plan. */
export function capOf(
  { session_cap }: Pick<Settings, 'session_cap'>,
  plan: Pick<accounts.AccountWithPlan, 'session_cap'>,
): number {
  return session_cap ?? plan.session_cap
}

export interface Room extends sessionCapacity.AccountRoom {
  readonly cap: number
}

/** A place is free, and no create waits for it already. */
export function hasPlace({ live, waiting, cap }: Room): boolean {
  return live < cap && !waiting
}

/** Holds the account's row until the transaction ends, so that two creates cannot both take the last place. */
export async function measureRoom(tx: Db, settings: Settings, account_id: string): Promise<Room> {
  const account = await sessionCapacity.lock(tx, account_id)
  if (!account) throw new ServiceError('not_found', 'There is no such account')
  return { ...(await sessionCapacity.measure(tx, account_id)), cap: capOf(settings, account) }
}

/** True when the account has a place for a session that may wait. */
export async function hasRoom(tx: Db, settings: Settings, account_id: string): Promise<boolean> {
  return hasPlace(await measureRoom(tx, settings, account_id))
}

export async function requireRoom(tx: Db, settings: Settings, account_id: string): Promise<void> {
  const { live, cap } = await measureRoom(tx, settings, account_id)
  if (live < cap) return
  throw new ServiceError(
    'session_limit_reached',
    `The account runs ${live} of ${cap} sessions; stop one first`,
    {
      retry_after: 30,
      limit: cap,
    },
  )
}
