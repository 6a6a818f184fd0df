import type { BaseContext } from '@svc/context'
import type { ConnectorCallRow, Db } from '@svc/db'
import { logEvents } from '@svc/services'

type Logged = Pick<
  ConnectorCallRow,
  'call_id' | 'session_id' | 'slug' | 'action' | 'risk' | 'status' | 'reason' | 'ms'
>

/** An entry in the log of the session that called, where one did. Neither arguments nor results are in it. */
export async function logCall(
  ctx: Pick<BaseContext, 'metrics' | 'now'>,
  tx: Db,
  { session_id, call_id, slug, action, risk, status, reason, ms }: Logged,
): Promise<void> {
  if (session_id === null) return
  const payload = { call_id, connector: slug, action, risk, status, reason, ms }
  await logEvents(ctx, tx, session_id, [{ type: 'connector_call', at: ctx.now(), payload }])
}
