import { type ConnectorContext, connectorEnv, connectorSettings, noExecutor } from '@svc/connectors'
import { z } from 'zod'
import type { ApiParts } from '../parts.ts'

export type ConnectorParts = Pick<ApiParts, 'executor' | 'connector_settings'>

/** Parts that verbs of connectors need beside the context of each request. */
export function connectorParts({
  executor = noExecutor,
  connector_settings = connectorSettings(z.object(connectorEnv).parse({})),
}: ConnectorParts): Pick<ConnectorContext, 'executor' | 'connector_settings'> {
  return { executor, connector_settings }
}
