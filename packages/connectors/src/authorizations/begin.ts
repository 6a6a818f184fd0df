import { recordAudit, requireWritesOpen } from '@svc/context'
import { connectorAuthorizations, connections } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { Connector } from '@svc/manifest'
import { UpstreamRefusal } from '@svc/upstream/shapes'
import { defaultScope, labels, requireRoom } from '../connections/create.ts'
import { requireConnection, requireScope } from '../connections/list.ts'
import { connectorOf, isAggregator, takesSignIn } from '../connectors/definition.ts'
import { type ConnectorInput, requireConnector } from '../connectors/list.ts'
import type { ConnectorContext, SignInBegun } from '../context.ts'
import { presentAuthorization } from './present.ts'

const minutes = 10

export interface BeginAuthorizationInput extends ConnectorInput {
  readonly scope?: 'project' | 'personal' | undefined
  readonly label?: string | undefined
  /** The connection to sign in for anew; a new one where it is left out. */
  readonly connection_id?: string | undefined
}

/** Begins a sign-in at the service of a connector: the page where the person goes on, for ten minutes. */
export async function beginAuthorization(ctx: ConnectorContext, input: BeginAuthorizationInput) {
  const { project, row } = await requireConnector(ctx, input, 'project.connector.read')
  const connector = connectorOf(row)
  const { project_id, slug } = row
  if (!takesSignIn(connector))
    throw new ServiceError(
      'invalid_request',
      `${slug} is not connected by a sign-in, which is for aggregators, and for \`mcp\` without \`auth\` or with \`bearer\`; store a credential instead`,
    )
  const renewing = input.connection_id === undefined ? null : await toRenew(ctx, input, input.connection_id)
  const scope = input.scope ?? defaultScope(connector)
  const owner = renewing === null ? await requireScope(ctx, project_id, scope) : renewing.user_id
  const user_id = personOf(ctx)
  requireWritesOpen(ctx)
  const authorization_id = ctx.newId()
  const begun = await begin(ctx, { project_id, slug, authorization_id, user_id: owner })
  const now = ctx.now()
  const connection_id = renewing?.connection_id ?? ctx.newId()
  const made = await ctx.db.transaction().execute(async (tx) => {
    if (renewing === null) {
      await requireRoom(tx, row)
      await connections.insert(tx, {
        ...{ connection_id, project_id, slug, user_id: owner, origin: null, is_default: false },
        label: input.label ?? labels[scope],
        kind: kindOf(connector),
        ...{ status: 'pending', sealed_credential: null, field_names: [] },
        ...{ external_ref: null, expires_at: null, last_used_at: null, last_error: null },
        ...{ created_by: user_id, created_at: now, updated_at: now },
      })
    }
    const made = await connectorAuthorizations.insert(tx, {
      ...{ authorization_id, project_id, slug, user_id, connection_id, status: 'pending', error: null },
      state_hash: Buffer.from(begun.state_hash, 'hex'),
      ...{ sealed_verifier: begun.sealed_verifier, sealed_code: null },
      ...{ issuer: begun.issuer, resource: begun.resource, created_at: now },
      expires_at: new Date(now.getTime() + minutes * 60_000),
    })
    await recordAudit(ctx, tx, {
      ...{ account_id: project.account_id, project_id, action: 'beginConnectorAuthorization' },
      target: `projects/${project_id}/connectors/${slug}/connections/${connection_id}`,
      details: { issuer: begun.issuer },
    })
    return made
  })
  return presentAuthorization(ctx.settings, made, begun.authorization_url)
}

const kindOf = ({ provider }: Connector) => (isAggregator(provider) ? 'aggregator' : 'oauth2')

async function toRenew(ctx: ConnectorContext, input: ConnectorInput, connection_id: string) {
  const { row } = await requireConnection(ctx, { ...input, connection_id })
  if (row.kind === 'oauth2' || row.kind === 'aggregator') return row
  throw new ServiceError('conflict', 'That connection holds a credential; replace it, or connect a new one')
}

/** A sign-in is a person's: the same one finishes it. */
function personOf({ principal }: Pick<ConnectorContext, 'principal'>): string {
  if (principal.type === 'user' || principal.type === 'project') return principal.user_id
  throw new ServiceError(
    'person_required',
    'Only a person signs in at a service; give them the `connect_url` of the connector',
  )
}

async function begin(
  ctx: ConnectorContext,
  key: Parameters<ConnectorContext['executor']['beginSignIn']>[0],
): Promise<SignInBegun> {
  try {
    return await ctx.executor.beginSignIn(key)
  } catch (error) {
    if (!(error instanceof UpstreamRefusal)) throw error
    throw new ServiceError('issuer_not_usable', error.message, { reason: error.reason }, { cause: error })
  }
}
