import type { BaseContext } from '@svc/context'
import { connectorCalls } from '@svc/db'

/**
 * After a restore: calls that were approved, or under way, may have been carried out by the deployment that is gone. None is
 * made again; a person looks in the other service and settles each. Returns the number of calls.
 */
export function loseRestoredCalls({ db, now }: Pick<BaseContext, 'db' | 'now'>): Promise<number> {
  return connectorCalls.loseRestored(
    db,
    now(),
    'The platform was restored from a backup: the call may have happened since. Look in the other service; a person can settle it',
  )
}
