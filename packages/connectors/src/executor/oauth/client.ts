import { connectorOAuthClients, type ConnectorRow, type ProjectRow } from '@svc/db'
import { openSealed, sealFor } from '@svc/services'
import { type FetchLike, type OAuthClient, type OAuthServer, registerOAuthClient } from '@svc/upstream'
import { clientSecretName, redirectUri } from '../../authorizations/place.ts'
import { connectorOf } from '../../connectors/definition.ts'
import type { ExecutorContext } from '../../context.ts'

/** The name that people see on the issuer's page. */
const client_name = 'svc'

/** The client that a manifest names, or the project's registration at this issuer, which is made where there is none. */
export async function clientFor(
  ctx: Pick<ExecutorContext, 'db' | 'vault' | 'settings'>,
  project: ProjectRow,
  row: ConnectorRow,
  server: OAuthServer,
  fetch: FetchLike,
): Promise<OAuthClient> {
  const { client_id } = connectorOf(row).oauth
  if (client_id !== null) return { client_id }
  const known = await registeredAt(ctx, project, server)
  if (known !== undefined) return known
  const { project_id } = project
  const redirect_uri = redirectUri(ctx.settings)
  const made = await registerOAuthClient(server, { redirect_uri, client_name }, fetch)
  const kept = await connectorOAuthClients.keep(ctx.db, {
    ...{ project_id, issuer: server.issuer, redirect_uri, client_id: made.client_id },
    sealed_secret:
      made.client_secret === undefined
        ? null
        : sealFor(ctx.vault, project, clientSecretName(server.issuer), made.client_secret),
  })
  return opened(ctx, project, kept)
}

/** The client that a grant was made for. A registration that is gone has no secret to prove itself with. */
export async function clientOfGrant(
  ctx: Pick<ExecutorContext, 'db' | 'vault' | 'settings'>,
  project: ProjectRow,
  { server, client_id }: { readonly server: OAuthServer; readonly client_id: string },
): Promise<OAuthClient> {
  const known = await registeredAt(ctx, project, server)
  return known?.client_id === client_id ? known : { client_id }
}

async function registeredAt(
  ctx: Pick<ExecutorContext, 'db' | 'vault' | 'settings'>,
  project: ProjectRow,
  { issuer }: OAuthServer,
): Promise<OAuthClient | undefined> {
  const key = { project_id: project.project_id, issuer, redirect_uri: redirectUri(ctx.settings) }
  const row = await connectorOAuthClients.find(ctx.db, key)
  return row && opened(ctx, project, row)
}

function opened(
  { vault }: Pick<ExecutorContext, 'vault'>,
  project: ProjectRow,
  { issuer, client_id, sealed_secret }: Awaited<ReturnType<typeof connectorOAuthClients.keep>>,
): OAuthClient {
  if (sealed_secret === null) return { client_id }
  return { client_id, client_secret: openSealed(vault, project, clientSecretName(issuer), sealed_secret) }
}
