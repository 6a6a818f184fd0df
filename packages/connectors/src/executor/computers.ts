import { connectorComputers, type ConnectorCallRow, type ConnectionRow, connections } from '@svc/db'
import type { Executor, ExecutorContext } from '../context.ts'

/** Says that the computers which are connected here still are; ends those that another executor has by now, or that a person removed. */
export async function touchComputers({ db, now, computers }: ExecutorContext): Promise<void> {
  if (computers === undefined) return
  const { hub, holder } = computers
  const held = hub.held()
  const there = new Set(await connectorComputers.touch(db, holder, held, now()))
  const lost = held.filter((connection_id) => !there.has(connection_id))
  const [elsewhere, active] = await Promise.all([
    connectorComputers.findPresent(db, lost, now()),
    connections.listActive(db, lost),
  ])
  for (const connection_id of lost) {
    if (!active.has(connection_id)) hub.end(connection_id, 'removed')
    else if ((elsewhere.get(connection_id)?.holder ?? holder) !== holder) hub.end(connection_id, 'replaced')
  }
}

/** The other executor that has to be asked about a connection, since it has the WebSocket of its computer; null elsewhere. */
export async function peerOf(
  { db, now, computers }: ExecutorContext,
  { kind, connection_id }: Pick<ConnectionRow, 'kind' | 'connection_id'>,
): Promise<Executor | null> {
  if (kind !== 'computer' || computers === undefined) return null
  if (computers.hub.tools(connection_id) !== null) return null
  const row = (await connectorComputers.findPresent(db, [connection_id], now())).get(connection_id)
  if (row === undefined || row.address === null || row.holder === computers.holder) return null
  return computers.peer(row.address)
}

/** The same for a call. */
export async function peerOfCall(
  ctx: ExecutorContext,
  { provider, connection_id }: Pick<ConnectorCallRow, 'provider' | 'connection_id'>,
): Promise<Executor | null> {
  if (provider !== 'computer' || connection_id === null) return null
  return peerOf(ctx, { kind: 'computer', connection_id })
}

/** Ends the connection of a computer, wherever it is. */
export async function dropComputer(ctx: ExecutorContext, row: ConnectionRow): Promise<boolean> {
  const peer = await peerOf(ctx, row)
  if (peer !== null) return peer.revoke(row)
  ctx.computers?.hub.end(row.connection_id, 'removed')
  return true
}
