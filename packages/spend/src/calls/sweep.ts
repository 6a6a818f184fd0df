import type { BaseContext } from '@svc/context'
import { againIfPassing, calls } from '@svc/db'

/** Ends calls whose process is heard of no more, so that nothing is held for them. How many. */
export async function sweepCalls({ db }: Pick<BaseContext, 'db'>): Promise<number> {
  let swept = 0
  for (const account_id of await calls.accountsWithExpired(db))
    swept += await againIfPassing(() => calls.sweep(db, account_id))
  return swept
}
