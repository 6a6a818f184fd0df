import { decide, type DecisionMade, type JsonObject } from '@svc/connector'
import type { ConnectorActionRow, ConnectorRow } from '@svc/db'
import { riskOfCall } from '@svc/upstream/risk'
import { rulesOf } from './definition.ts'

/** The decision on one call, and its action with the risk of that very call. */
export function decideCall(
  row: ConnectorRow,
  found: ConnectorActionRow,
  args: JsonObject,
): { readonly action: ConnectorActionRow; readonly decision: DecisionMade } {
  const action = { ...found, risk: riskOfCall(row.provider, found, args) }
  return { action, decision: decide({ connector: rulesOf(row), action, args }) }
}
