import type { SealedPlace } from '@svc/context'
import { sealedKeys } from '@svc/db'
import { VaultError } from '@svc/vault'
import type { Check, CheckContext, Found } from './check.ts'

const batch = 500
/** Of each table: one master key that is not there makes every row of it a finding. */
const max = 20

/** A data key that no master key of this deployment opens. */
export const keyUnopenable: Check = {
  name: 'key_unopenable',
  worker: 'merge',
  of: 'platform',
  run: async (ctx) => {
    const found: Found[] = []
    for (const place of ctx.places) found.push(...(await ofPlace(ctx, place)))
    return found
  },
}

async function ofPlace(ctx: CheckContext, place: SealedPlace): Promise<Found[]> {
  const found: Found[] = []
  for (let after = ''; found.length < max;) {
    const rows = await sealedKeys.listAll(ctx.db, place, { after, limit: batch })
    for (const row of rows) {
      const reason = reasonOf(ctx, place, row)
      if (reason === null || found.length >= max) continue
      const message = `The key cannot be opened: ${reason}. Give the process the master key that sealed it`
      found.push({ severity: 'error', project_id: null, subject: `${place.table}/${row.id}`, message })
    }
    after = rows.at(-1)?.id ?? ''
    if (rows.length < batch) break
  }
  return found
}

function reasonOf(
  { vault }: CheckContext,
  place: SealedPlace,
  { id, sealed }: sealedKeys.SealedKeyRow,
): string | null {
  try {
    vault.openDataKey(sealed, place.aad(id))
    return null
  } catch (error) {
    if (error instanceof VaultError) return error.message
    throw error
  }
}
