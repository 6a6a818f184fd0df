import type { FrozenCall } from '@svc/connector'
import { suspended } from '@svc/context'
import type { callReads, ConnectionRow, ConnectorActionRow, ConnectorRow } from '@svc/db'
import type { Provider } from '@svc/upstream'
import { decideCall } from '../connectors/decide-call.ts'
import type { ExecutorContext } from '../context.ts'
import type { AttemptEnd } from '../calls/finish.ts'
import { movedSince } from '../calls/frozen-parts.ts'
import { targetOf } from './target.ts'

export interface OpenGate {
  readonly row: ConnectorRow
  readonly action: ConnectorActionRow
  readonly connection: ConnectionRow | null
  readonly provider: Provider
}

/**
 * The gate once more, for whatever may have changed since the call was let in, or approved: its account, a rule that blocks it, its action, its connection, the
 * address that the connection was made for, and where the call goes to and as what.
 */
export async function gateAgain(
  ctx: ExecutorContext,
  { project, suspension, call, connector: row, action, connection }: callReads.CallParts,
  frozen: FrozenCall,
): Promise<OpenGate | AttemptEnd> {
  const { slug } = call
  if (suspension.suspended_at !== null) return refused('account_suspended', suspended(suspension).message)
  if (row === undefined)
    return refused(
      'connector_not_found',
      `The connector ${slug} is not declared any more; declare it in svc.yaml`,
    )
  const provider = ctx.providers[row.provider]
  if (provider === undefined)
    return refused(
      'connector_unusable',
      `This platform cannot call connectors of provider ${row.provider}; ask its operator`,
    )
  if (action === undefined || action.state === 'gone')
    return refused('action_not_found', `${slug} has no action ${call.action} any more; list its actions`)
  const { decision, rule } = decideCall(row, action, frozen.args).decision
  if (decision === 'block')
    return refused(
      'policy_block',
      `${slug}.${call.action} is blocked by ${rule.match ?? 'its default'} by now; a change of svc.yaml is the only way`,
    )
  if (call.connection_id === null)
    return (
      moved(slug, frozen, { row, action, connection: null }) ?? { row, action, connection: null, provider }
    )
  if (connection === undefined || connection.status === 'revoked')
    return refused(
      'connector_not_connected',
      `The connection of ${slug} was removed; a person connects it again`,
    )
  if (connection.status !== 'active')
    return refused('connection_expired', `The connection of ${slug} expired; a person connects it again`)
  const origin = await provider.origin(targetOf(ctx, project, row, null))
  if (connection.origin !== null && connection.origin !== origin)
    return refused(
      'connector_changed',
      `The connection was made for ${connection.origin}, and svc.yaml names ${origin ?? 'no address'} by now; a person connects ${slug} again`,
    )
  return moved(slug, frozen, { row, action, connection }) ?? { row, action, connection, provider }
}

/** The refusal of a call that is another than was asked for, or approved. */
function moved(slug: string, frozen: FrozenCall, parts: Parameters<typeof movedSince>[1]): AttemptEnd | null {
  switch (movedSince(frozen, parts)) {
    case null:
      return null
    case 'address':
      return refused(
        'connector_changed',
        `The call was asked for at ${frozen.address ?? 'no address'}, and svc.yaml names another one for ${slug} by now; ask for it again`,
      )
    case 'action':
      return refused(
        'connector_changed',
        `${slug}.${frozen.action} is another action than when the call was asked for; look at it, and ask for it again`,
      )
  }
}

function refused(reason: string, message: string): AttemptEnd {
  return { event: 'refuse', reason, message }
}
