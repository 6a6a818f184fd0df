import { connectors } from '@svc/db'
import { settled } from '@svc/timing'
import type { ConnectorContext } from '../context.ts'
import { type ConnectorInput, requireConnector, showConnector } from './list.ts'

const waitMs = 20_000

/** Reads the actions of a connector anew. A slow service is waited for by the executor alone: the connector is shown as it was. */
export async function syncActions(ctx: ConnectorContext, input: ConnectorInput, wait_ms = waitMs) {
  const { row } = await requireConnector(ctx, input, 'project.connector.write')
  const reading = ctx.executor.sync(input)
  const is_read = await settled(wait_ms, reading)
  if (is_read) await reading
  const connector = await showConnector(ctx, (await connectors.find(ctx.db, input)) ?? row)
  return { connector, is_read }
}
