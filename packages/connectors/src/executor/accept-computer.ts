import { connectorComputers, connections } from '@svc/db'
import type { Upgrade } from '@svc/upstream'
import type { ExecutorContext } from '../context.ts'
import { syncConnector } from './sync.ts'

/** Takes the WebSocket of a computer that was proved to serve the connection, and reads its tools each time that it says them. */
export function acceptComputer(
  ctx: ExecutorContext,
  key: { readonly project_id: string; readonly connection_id: string },
  upgrade: Upgrade,
): void {
  const { computers } = ctx
  if (computers === undefined) return void upgrade.socket.destroy()
  const { hub, holder, address } = computers
  const { project_id, connection_id } = key
  const held = { project_id, connection_id, holder, address }
  // One after the other: the row of a computer that came and left at once is not to stay.
  let last = Promise.resolve()
  const next = (work: () => Promise<void>) => {
    last = last
      .then(work)
      .catch((err: unknown) => ctx.log.warn({ err, connection_id }, 'A paired computer was not noted'))
  }
  hub.upgrade(connection_id, upgrade, {
    onHello: (name) =>
      next(async () => {
        const [connected_at, seen_at] = [ctx.now(), ctx.now()]
        await connectorComputers.hold(ctx.db, { ...held, name, connected_at, seen_at })
        const row = await connections.find(ctx.db, key)
        if (row !== undefined) await syncConnector(ctx, row, row)
      }),
    onGone: () => next(() => connectorComputers.release(ctx.db, held)),
  })
}
