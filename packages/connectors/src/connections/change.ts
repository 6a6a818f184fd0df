import { requireWritesOpen } from '@svc/context'
import { connections, connectors } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { sealFor } from '@svc/services'
import { credentialIssues } from '@svc/upstream/auth'
import { connectorOf } from '../connectors/definition.ts'
import type { ConnectorContext } from '../context.ts'
import { credentialName } from './place.ts'
import { recordConnection } from './create.ts'
import { type ConnectionInput, requireConnection } from './list.ts'
import { presentComputers, presentConnection } from './present.ts'

export interface UpdateConnectionInput extends ConnectionInput {
  readonly label?: string | undefined
  readonly credential?: Readonly<Record<string, string>> | undefined
  readonly default?: true | undefined
}

/** Changes the label, replaces the credential, or makes it the default. A new credential is for the address of today. */
export async function updateConnection(ctx: ConnectorContext, input: UpdateConnectionInput) {
  const { project, row } = await requireConnection(ctx, input)
  requireWritesOpen(ctx)
  const { connection_id, project_id, slug, user_id } = row
  const { label, credential } = input
  if (credential !== undefined && (row.kind === 'computer' || row.kind === 'aggregator'))
    throw new ServiceError(
      'invalid_request',
      `This connection of ${slug} is made with no credential; leave it out`,
    )
  const renewed = credential === undefined ? null : await renew(ctx, input, credential)
  const changed = await ctx.db.transaction().execute(async (tx) => {
    if (input.default === true) await connections.clearDefault(tx, { project_id, slug, user_id })
    const changed = await connections.update(tx, connection_id, {
      ...(label === undefined ? {} : { label }),
      ...(input.default === true ? { is_default: true } : {}),
      ...(renewed === null
        ? {}
        : {
            sealed_credential: sealFor(ctx.vault, project, credentialName(connection_id), renewed.sealed),
            ...{ field_names: renewed.field_names, origin: renewed.origin },
            ...{ kind: 'credential' as const, status: 'active' as const, last_error: null, expires_at: null },
          }),
      updated_at: ctx.now(),
    })
    if (changed !== undefined) await recordConnection(ctx, tx, project, changed, 'updateConnection')
    return changed
  })
  if (changed === undefined)
    throw new ServiceError('not_found', `${slug} has no such connection; list those of the connector`)
  return presentConnection(changed, await presentComputers(ctx, [changed]))
}

async function renew(
  ctx: ConnectorContext,
  { project_id, slug }: ConnectionInput,
  credential: Readonly<Record<string, string>>,
) {
  const declared = await connectors.find(ctx.db, { project_id, slug })
  if (declared === undefined)
    throw new ServiceError(
      'conflict',
      `${slug} is not declared in svc.yaml any more; nothing can use a new credential`,
    )
  const [issue] = credentialIssues(connectorOf(declared).auth, credential)
  if (issue !== undefined)
    throw new ServiceError('invalid_request', `credential.${issue.field}: ${issue.message}`, {
      issues: [{ path: `credential.${issue.field}`, message: issue.message }],
    })
  return {
    sealed: JSON.stringify(credential),
    field_names: Object.keys(credential).sort(),
    origin: await ctx.executor.origin({ project_id, slug }),
  }
}

/**
 * Forgets a connection: what it was sealed with is erased, and no call is made with it any more. An access that a person
 * signed in for is taken back at its issuer first, where that answers, and a computer is let go of; it is forgotten here all the same.
 */
export async function deleteConnection(ctx: ConnectorContext, input: ConnectionInput) {
  const { project, row } = await requireConnection(ctx, input)
  requireWritesOpen(ctx)
  if (row.kind !== 'credential' && row.status === 'active')
    await ctx.executor
      .revoke(row)
      .catch((error: unknown) =>
        ctx.log.warn({ err: error, connection_id: row.connection_id }, 'An access was not taken back'),
      )
  const gone = await ctx.db.transaction().execute(async (tx) => {
    const gone = await connections.update(tx, row.connection_id, {
      ...{ status: 'revoked', sealed_credential: null, is_default: false },
      updated_at: ctx.now(),
    })
    // Its service may ask for another one.
    if (row.kind === 'oauth2') await connectors.markDue(tx, row, ctx.now())
    if (gone !== undefined) await recordConnection(ctx, tx, project, gone, 'deleteConnection')
    return gone ?? row
  })
  return presentConnection(gone, new Set())
}

/** Asks the service something harmless with the connection, as a call would. */
export async function testConnection(ctx: ConnectorContext, input: ConnectionInput) {
  const { row } = await requireConnection(ctx, input)
  const began = performance.now()
  const found = await ctx.executor.test(row)
  const ms = Math.round(performance.now() - began)
  return found === null ? { ok: true, ms } : { ok: false, ...found, ms }
}
