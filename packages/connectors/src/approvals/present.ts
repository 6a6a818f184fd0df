import { connectorOf, addressOf } from '../connectors/definition.ts'
import { type AccessibleProject } from '@svc/context'
import { type ApprovalRow, connections, type ConnectorCallRow, connectors } from '@svc/db'
import { openBody } from '../calls/sealed.ts'
import { scopeOf } from '../connections/place.ts'
import type { ConnectorContext } from '../context.ts'

interface Frozen {
  readonly address: string | null
  readonly args: Readonly<Record<string, unknown>>
}

/** A frozen call with everything that a person decides on. */
export async function presentApproval(
  ctx: Pick<ConnectorContext, 'db' | 'vault'>,
  project: AccessibleProject,
  call: ConnectorCallRow,
  approval: ApprovalRow,
) {
  const { call_id, project_id, slug, action, risk, rule, session_id, connection_id, sealed_request } = call
  const frozen =
    sealed_request === null ? null : (openBody(ctx, project, call, 'request', sealed_request) as Frozen)
  const [connection, declared] = await Promise.all([
    connection_id === null ? undefined : connections.find(ctx.db, { project_id, connection_id }),
    connectors.find(ctx.db, { project_id, slug }),
  ])
  const { status, digest, decided_by, decision, message } = approval
  return {
    ...{ call_id, status, connector: slug, action, risk, rule, digest, session_id },
    args: frozen?.args ?? null,
    args_text: frozen === null ? null : JSON.stringify(frozen.args, null, 2),
    connection:
      connection === undefined
        ? null
        : { connection_id, label: connection.label, scope: scopeOf(connection) },
    address: frozen?.address ?? (declared === undefined ? null : addressOf(connectorOf(declared))),
    requested_by: call.actor,
    second_person: approval.second_person,
    created_at: approval.created_at.toISOString(),
    expires_at: approval.expires_at.toISOString(),
    ...{ decided_by, decision, message },
    decided_at: approval.decided_at?.toISOString() ?? null,
    outcome: { status: call.status, reason: call.reason },
  }
}
