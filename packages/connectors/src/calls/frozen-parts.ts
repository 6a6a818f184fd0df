import { digestOf, type FrozenCall } from '@svc/connector'
import type { ConnectionRow, ConnectorActionRow, ConnectorRow } from '@svc/db'
import { canonicalJson } from '@svc/facts'
import { addressOf, connectorOf } from '../connectors/definition.ts'

type OfConnector = Pick<FrozenCall, 'definition_digest' | 'address' | 'action_digest'>

interface Parts {
  readonly row: ConnectorRow
  readonly action: ConnectorActionRow
  readonly connection: ConnectionRow | null
}

/** The address of a call as it is declared now, and the request that its action stands for with what it says of itself. */
export function frozenParts({ row, action: { digest, binding }, connection }: Parts): OfConnector {
  return {
    definition_digest: row.definition_digest,
    address: addressOf(connectorOf(row)) ?? connection?.origin ?? null,
    action_digest: digestOf(canonicalJson({ digest, binding })),
  }
}

/** The part of a frozen call that is another by now, so that what would run is not what was asked for; null where none is. */
export function movedSince(frozen: OfConnector, parts: Parts): 'address' | 'action' | null {
  const now = frozenParts(parts)
  if (frozen.definition_digest !== now.definition_digest && frozen.address !== now.address) return 'address'
  // A call that an earlier release froze has the digest of the words alone.
  const isSame = [now.action_digest, parts.action.digest].includes(frozen.action_digest)
  return isSame ? null : 'action'
}
