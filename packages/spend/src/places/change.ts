import { actingUser, type Context, recordAudit, recordOperatorAudit } from '@svc/context'
import { type Db, type GatewayPlace, gatewaySettings } from '@svc/db'
import type { EnteredPlace, Entering } from './enter.ts'

export type Changing = Entering & Pick<Context, 'now' | 'newId'>

export interface PlaceChange {
  /** The operation's name with `*` where that of the place is. */
  readonly action: `${string}*Gateway${string}`
  /** Below the path of the place. */
  readonly target: string
  /** Names and ids, never a key. */
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * Changes a place and writes its event, one change of the place after the other. Gateways read it anew with their next
 * call.
 */
export async function changePlace<T>(
  ctx: Changing,
  entered: EnteredPlace,
  change: PlaceChange,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  return ctx.db.transaction().execute(async (tx) => {
    // Locks the place.
    await gatewaySettings.touch(tx, entered.place)
    const done = await work(tx)
    await recordPlaceAudit(ctx, tx, entered, change)
    return done
  })
}

/** Writes the event alone: in the account's log, or in the platform's. */
export async function recordPlaceAudit(
  ctx: Changing,
  db: Db,
  { place, account_id, project_id }: EnteredPlace,
  { action, target, details = {} }: PlaceChange,
): Promise<void> {
  const entry = {
    ...{ project_id, details },
    action: action.replace('*', wordOf[place.scope]),
    target: `${pathOf(place)}/gateway${target}`,
  }
  if (account_id === null) await recordOperatorAudit(ctx, db, { ...entry, account_id })
  else await recordAudit(ctx, db, { ...entry, account_id })
}

export const changedBy = (ctx: Pick<Context, 'principal'>) => actingUser(ctx.principal)

const wordOf = { project: '', account: 'Account', operator: 'Platform' } as const

function pathOf(place: GatewayPlace): string {
  if (place.scope === 'project') return `projects/${place.project_id}`
  return place.scope === 'account' ? `accounts/${place.account_id}` : 'admin'
}
