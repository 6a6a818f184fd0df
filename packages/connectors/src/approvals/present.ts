import { connectorOf, addressOf } from '../connectors/definition.ts'
import { type AccessibleProject } from '@svc/context'
import {
  type ApprovalRow,
  type ConnectionRow,
  connections,
  type ConnectorCallRow,
  type ConnectorRow,
  connectors,
} from '@svc/db'
import { openBody } from '../calls/sealed.ts'
import { scopeOf } from '../connections/place.ts'
import type { ConnectorContext } from '../context.ts'

interface Frozen {
  readonly address: string | null
  readonly args: Readonly<Record<string, unknown>>
}

type Presenting = Pick<ConnectorContext, 'db' | 'vault'>

interface FrozenCall {
  readonly call: ConnectorCallRow
  readonly approval: ApprovalRow
}

/** A frozen call with everything that a person decides on. */
export async function presentApproval(
  ctx: Presenting,
  project: AccessibleProject,
  call: ConnectorCallRow,
  approval: ApprovalRow,
) {
  const [shown] = await presentApprovals(ctx, project, [{ call, approval }])
  if (shown === undefined) throw new Error('An approval was not presented')
  return shown
}

/** Any number of one project, with two queries for all of them. */
export async function presentApprovals(
  ctx: Presenting,
  project: AccessibleProject,
  frozen: readonly FrozenCall[],
) {
  const { project_id } = project
  const named = frozen.flatMap(({ call: { connection_id } }) =>
    connection_id === null ? [] : [connection_id],
  )
  const [known, declared] = await Promise.all([
    connections.findMany(ctx.db, project_id, [...new Set(named)]),
    connectors.list(ctx.db, project_id),
  ])
  return frozen.map((one) =>
    present(ctx, project, one, {
      connection: one.call.connection_id === null ? undefined : known.get(one.call.connection_id),
      declared: declared.find(({ slug }) => slug === one.call.slug),
    }),
  )
}

function present(
  ctx: Presenting,
  project: AccessibleProject,
  { call, approval }: FrozenCall,
  {
    connection,
    declared,
  }: { readonly connection: ConnectionRow | undefined; readonly declared: ConnectorRow | undefined },
) {
  const { call_id, slug, action, risk, rule, session_id, connection_id, sealed_request } = call
  const frozen =
    sealed_request === null ? null : (openBody(ctx, project, call, 'request', sealed_request) as Frozen)
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
