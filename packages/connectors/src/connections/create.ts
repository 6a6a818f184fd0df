import { recordAudit, requireWritesOpen } from '@svc/context'
import { connections, connectors, type ConnectionRow, type ConnectorRow, type Db } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { Connector } from '@svc/manifest'
import { sealFor } from '@svc/services'
import { credentialIssues } from '@svc/upstream/auth'
import { connectorOf, isAggregator } from '../connectors/definition.ts'
import { type ConnectorInput, requireConnector } from '../connectors/list.ts'
import type { ConnectorContext } from '../context.ts'
import { credentialName } from './place.ts'
import { requireScope } from './list.ts'
import { presentConnection } from './present.ts'

const maxConnections = 200

export interface CreateConnectionInput extends ConnectorInput {
  /** Absent: `personal` where the connector works with each person's own, else `project`. */
  readonly scope?: 'project' | 'personal' | undefined
  readonly label?: string | undefined
  readonly credential: Readonly<Record<string, string>>
  /** Absent: true for the first of its scope. */
  readonly default?: boolean | undefined
}

/** Stores what a connector proves itself with; the values are sealed and never read back. */
export async function createConnection(ctx: ConnectorContext, input: CreateConnectionInput) {
  const { project, row } = await requireConnector(ctx, input, 'project.connector.read')
  const connector = connectorOf(row)
  const scope = input.scope ?? defaultScope(connector)
  const user_id = await requireScope(ctx, project.project_id, scope)
  requireWritesOpen(ctx)
  if (isAggregator(connector.provider))
    throw new ServiceError(
      'invalid_request',
      `${row.slug} is connected by a sign-in: POST …/connectors/${row.slug}/authorizations, or \`svc connectors connect ${row.slug}\``,
    )
  const issues = credentialIssues(connector.auth, input.credential)
  if (issues.length > 0) {
    const [first] = issues
    throw new ServiceError('invalid_request', `credential.${first?.field}: ${first?.message}`, {
      issues: issues.map(({ field, message }) => ({ path: `credential.${field}`, message })),
    })
  }
  const origin = await ctx.executor.origin(row)
  const isComputer = connector.provider === 'computer'
  const { project_id } = project
  const { slug } = row
  const [connection_id, now] = [ctx.newId(), ctx.now()]
  const made = await ctx.db.transaction().execute(async (tx) => {
    await requireRoom(tx, row)
    const is_default =
      input.default ?? (await connections.findDefault(tx, { project_id, slug }, user_id)) === undefined
    if (is_default) await connections.clearDefault(tx, { project_id, slug, user_id })
    const made = await connections.insert(tx, {
      ...{ connection_id, project_id, slug, user_id, origin, is_default },
      label: input.label ?? labels[scope],
      kind: isComputer ? 'computer' : 'credential',
      sealed_credential: isComputer
        ? null
        : sealFor(ctx.vault, project, credentialName(connection_id), JSON.stringify(input.credential)),
      field_names: Object.keys(input.credential).sort(),
      // A computer is known by the connection that it serves.
      external_ref: isComputer ? connection_id : null,
      status: 'active',
      ...{ expires_at: null, last_used_at: null, last_error: null },
      created_by: user_id ?? ('user_id' in ctx.principal ? ctx.principal.user_id : null),
      ...{ created_at: now, updated_at: now },
    })
    // A computer says its actions itself, once it is there.
    if (!isComputer) await connectors.markDue(tx, row, now)
    await recordConnection(ctx, tx, project, made, 'createConnection')
    return made
  })
  return presentConnection(made, new Set())
}

/** The owner of a connection that says nothing of one. */
export const defaultScope = ({ authorization_strategy }: Connector) =>
  authorization_strategy === 'user' ? 'personal' : 'project'

/** The names of connections that were given none. */
export const labels = { project: 'Project', personal: 'Personal' } as const

/** Refuses one more connection than a connector may have. */
export async function requireRoom(tx: Db, row: ConnectorRow): Promise<void> {
  if ((await connections.count(tx, row)) >= maxConnections)
    throw new ServiceError('conflict', `${row.slug} has ${maxConnections} connections; remove one first`)
}

/** The label and the fields, never a value. */
export async function recordConnection(
  ctx: Pick<ConnectorContext, 'principal' | 'now' | 'newId' | 'trail'>,
  tx: Db,
  { account_id, project_id }: { readonly account_id: string; readonly project_id: string },
  { slug, connection_id, label, field_names }: ConnectionRow,
  action: string,
): Promise<void> {
  await recordAudit(ctx, tx, {
    ...{ account_id, project_id, action },
    target: `projects/${project_id}/connectors/${slug}/connections/${connection_id}`,
    details: { label, fields: field_names },
  })
}
