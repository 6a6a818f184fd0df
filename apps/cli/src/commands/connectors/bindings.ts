import type { ConnectorBindings } from '@svc/sdk'
import { UsageError } from '../../failures.ts'

/** `connector=connection` pairs over the choices of before; one without a connection goes back to a default. */
export function changedBindings(before: ConnectorBindings, pairs: readonly string[]): ConnectorBindings {
  const chosen = new Map(Object.entries(before))
  for (const pair of pairs) {
    const [, slug, connection_id] = /^([^=]+)=(.*)$/.exec(pair) ?? []
    if (slug === undefined || connection_id === undefined)
      throw new UsageError(
        `${JSON.stringify(pair)} chooses no connection: write <connector>=<connection>`,
        'svc connectors connections <connector>   lists them by id',
      )
    if (connection_id === '') chosen.delete(slug)
    else chosen.set(slug, { connection_id })
  }
  return Object.fromEntries(chosen)
}
