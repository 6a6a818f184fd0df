import type { BaseContext } from '@svc/context'
import type { ConnectorCallRow, Db } from '@svc/db'
import { logEvents } from '@svc/services'

type Logged = Pick<
  ConnectorCallRow,
  'call_id' | 'session_id' | 'slug' | 'action' | 'risk' | 'status' | 'reason' | 'ms'
>

/** The entry of a call in the log of its session. Neither arguments nor results are in it. */
export const callEntry = ({ call_id, slug, action, risk, status, reason, ms }: Logged) => ({
  type: 'connector_call',
  payload: { call_id, connector: slug, action, risk, status, reason, ms },
})

/** Writes it, where a session called. */
export async function logCall(
  ctx: Pick<BaseContext, 'metrics' | 'now'>,
  tx: Db,
  call: Logged,
): Promise<void> {
  if (call.session_id === null) return
  await logEvents(ctx, tx, call.session_id, [{ ...callEntry(call), at: ctx.now() }])
}
