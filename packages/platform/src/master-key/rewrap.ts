import type { SealedPlace } from '@svc/context'
import { type Db, sealedKeys } from '@svc/db'
import { type Vault, VaultError } from '@svc/vault'

export interface KeyUse {
  readonly table: string
  readonly key_id: string
  readonly rows: number
}

export interface Rewrapped {
  readonly rewrapped: number
  /** Rows that another key still seals: written meanwhile by a process that does not seal with this one yet, or unopenable. */
  readonly left: number
  /** Rows that none of the keys here opens. They are left as they are. */
  readonly unopenable: readonly { readonly table: string; readonly id: string; readonly reason: string }[]
}

interface RewrapContext {
  readonly db: Db
  /** Every column that holds a data key. */
  readonly places: readonly SealedPlace[]
  readonly vault: Vault
  readonly batch?: number
  /** Told after each batch. */
  readonly progress?: (table: string, rewrapped: number) => void
}

/** Uses of each master key, by table. */
export async function keyUses({ db, places }: Pick<RewrapContext, 'db' | 'places'>): Promise<KeyUse[]> {
  const uses = await Promise.all(
    places.map(async (place) =>
      (await sealedKeys.countByKey(db, place)).map((use) => ({ table: place.table, ...use })),
    ),
  )
  return uses.flat()
}

/**
 * Seals every data key with the master key that seals now. The keys themselves stay, and so does what they seal: a
 * process that opened one yesterday goes on. Each row is replaced by itself, if it still is what was read; a run that
 * is killed can be started again.
 */
export async function rewrapDataKeys(ctx: RewrapContext): Promise<Rewrapped> {
  let rewrapped = 0
  const unopenable: Rewrapped['unopenable'][number][] = []
  for (const place of ctx.places) {
    const pass = await rewrapPlace(ctx, place)
    rewrapped += pass.rewrapped
    unopenable.push(...pass.unopenable)
  }
  const uses = await keyUses(ctx)
  const left = uses.filter(({ key_id }) => key_id !== ctx.vault.key_id)
  return { rewrapped, left: left.reduce((sum, { rows }) => sum + rows, 0), unopenable }
}

async function rewrapPlace(
  { db, vault, batch = 200, progress }: Omit<RewrapContext, 'places'>,
  place: SealedPlace,
): Promise<Omit<Rewrapped, 'left'>> {
  const { table } = place
  let rewrapped = 0
  const unopenable: Rewrapped['unopenable'][number][] = []
  for (let after = ''; ;) {
    const rows = await sealedKeys.listDue(db, place, { key_id: vault.key_id, after, limit: batch })
    for (const row of rows) {
      const sealed = sealAgain(vault, place, row)
      if (sealed instanceof VaultError) unopenable.push({ table, id: row.id, reason: sealed.message })
      else if (await sealedKeys.replace(db, place, row, sealed)) rewrapped += 1
    }
    if (rows.length > 0) progress?.(table, rewrapped)
    const last = rows.at(-1)
    if (last === undefined) return { rewrapped, unopenable }
    after = last.id
  }
}

function sealAgain(vault: Vault, place: SealedPlace, { id, sealed }: sealedKeys.SealedKeyRow) {
  try {
    return vault.rewrap(sealed, place.aad(id))
  } catch (error) {
    if (error instanceof VaultError) return error
    throw error
  }
}
