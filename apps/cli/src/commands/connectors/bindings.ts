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

interface Chosen {
  readonly connector_bindings: ConnectorBindings
}

/** The choices as they are; with pairs, as they are once these were made. */
export async function choose<Answer extends Chosen>(
  pairs: readonly string[],
  get: () => Promise<Answer>,
  set: (bindings: ConnectorBindings) => Promise<Answer>,
): Promise<Answer> {
  const before = await get()
  return pairs.length === 0 ? before : set(changedBindings(before.connector_bindings, pairs))
}
