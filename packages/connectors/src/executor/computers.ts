import { connectorComputers, type ConnectorCallRow, connections } from '@svc/db'
import type { Executor, ExecutorContext } from '../context.ts'

interface Key {
  readonly project_id: string
  readonly connection_id: string
}

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

/** The executor that has the WebSocket of this computer; null where it is this one, or none. */
export async function peerOf(
  { db, now, computers }: ExecutorContext,
  connection_id: string,
): Promise<Executor | null> {
  if (computers === undefined || computers.hub.tools(connection_id) !== null) return null
  const row = (await connectorComputers.findPresent(db, [connection_id], now())).get(connection_id)
  if (row === undefined || row.address === null || row.holder === computers.holder) return null
  return computers.peer(row.address)
}

/** The same for a call; null for those that need no computer. */
export async function peerOfCall(
  ctx: ExecutorContext,
  { provider, connection_id }: Pick<ConnectorCallRow, 'provider' | 'connection_id'>,
): Promise<Executor | null> {
  return provider === 'computer' && connection_id !== null ? peerOf(ctx, connection_id) : null
}

/** Ends the connection of a computer, wherever it is. */
export async function dropComputer(ctx: ExecutorContext, key: Key): Promise<boolean> {
  const peer = await peerOf(ctx, key.connection_id)
  if (peer !== null) return peer.revoke(key)
  ctx.computers?.hub.end(key.connection_id, 'removed')
  return true
}
