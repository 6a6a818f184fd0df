import type { SealedPlace } from '@svc/context'
import { type Db, sealedKeys } from '@svc/db'
import { forgetSealed } from '@svc/db/backups'
import { type Vault, VaultError } from '@svc/vault'

const batch = 500

export interface NewKeys {
  /** Seals from now on. */
  readonly vault: Vault
  /** Every column that holds a data key. */
  readonly places: readonly SealedPlace[]
}

/**
 * Gives each row whose data key cannot be opened a new one, and forgets what the old ones sealed. Returns how many were
 * made anew: none where every key opens, so that a run after a kill changes nothing.
 */
export async function renewKeys(db: Db, { vault, places }: NewKeys, now: Date): Promise<number> {
  if (!(await anyUnopenable(db, { vault, places }))) return 0
  return db.transaction().execute(async (tx) => {
    await forgetSealed(tx, now)
    let renewed = 0
    for (const place of places)
      for await (const row of rowsOf(tx, place))
        if (!opens(vault, place, row)) {
          await sealedKeys.replace(tx, place, row, vault.createDataKey(place.aad(row.id)).sealed)
          renewed += 1
        }
    return renewed
  })
}

async function anyUnopenable(db: Db, { vault, places }: NewKeys): Promise<boolean> {
  for (const place of places)
    for await (const row of rowsOf(db, place)) if (!opens(vault, place, row)) return true
  return false
}

async function* rowsOf(db: Db, place: SealedPlace): AsyncGenerator<sealedKeys.SealedKeyRow, void, undefined> {
  for (let after = ''; ;) {
    const rows = await sealedKeys.listAll(db, place, { after, limit: batch })
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

function opens(vault: Vault, place: SealedPlace, { id, sealed }: sealedKeys.SealedKeyRow): boolean {
  try {
    vault.openDataKey(sealed, place.aad(id))
    return true
  } catch (error) {
    if (error instanceof VaultError) return false
    throw error
  }
}
