import { type Settings, suspended } from '@svc/context'
import { type Db, sessionCapacity } from '@svc/db'
import { type ErrorCode, ServiceError } from '@svc/errors'

/** The operator's cap for this account, else that for all accounts, else that of the account's plan. */
export function capOf(
  { session_cap }: Pick<Settings, 'session_cap'>,
  own: sessionCapacity.SessionCaps,
): number {
  return own.limit_live_sessions ?? session_cap ?? own.session_cap
}

export interface Room extends sessionCapacity.AccountRoom {
  readonly cap: number
}

/** A place is free, and no create waits for it already. */
export function hasPlace({ live, waiting, cap }: Room): boolean {
  return live < cap && !waiting
}

/**
 * Holds the account's row until the transaction ends, so that two creates cannot both take the last place. Refuses where
 * nothing starts in the account, however many places it has.
 */
export async function measureRoom(tx: Db, settings: Settings, account_id: string): Promise<Room> {
  const account = await sessionCapacity.lock(tx, account_id)
  if (!account) throw new ServiceError('not_found', 'There is no such account; list those that you belong to')
  if (account.suspended_at !== null) throw suspended(account)
  if (account.over_storage) throw overStorage(account.limit_storage_mb)
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
    cap === 0
      ? 'The operator of the platform lets this account run no session now; ask them'
      : `The account runs ${live} of ${cap} sessions; stop one first`,
    {
      retry_after: 30,
      limit: cap,
    },
  )
}

export function overStorage(limit_mb: number | null): ServiceError {
  return new ServiceError(
    'storage_limit',
    `The repositories of this account hold more than the ${limit_mb} MB that the operator of the platform lets them; delete projects, or ask the operator`,
    { limit_mb },
  )
}

const noPlace: ReadonlySet<ErrorCode> = new Set([
  'session_limit_reached',
  'storage_limit',
  'account_suspended',
])

/** True for a refusal that ends by itself or by an operator: what is kept may wait for that. */
export function isWithoutPlace(error: unknown): error is ServiceError {
  return error instanceof ServiceError && noPlace.has(error.code)
}
