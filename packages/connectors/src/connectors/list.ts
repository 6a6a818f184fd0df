import { type AccessibleProject, actingUser, type Context, requireProject } from '@svc/context'
import { connections, connectorActions, type ConnectorRow, connectors } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { Capability } from '@svc/facts'
import { tryRefreshCatalogue } from '@svc/services'
import { pickConnection } from '../connections/resolve.ts'
import { connectorOf } from './definition.ts'
import { presentConnector } from './present.ts'

export type ReadContext = Pick<
  Context,
  'db' | 'principal' | 'repositories' | 'vault' | 'now' | 'signal' | 'settings' | 'trail'
>

export interface ConnectorInput {
  readonly project_id: string
  readonly slug: string
}

/** The connectors of the default branch as it is now, or as it was when the repository last answered. */
export async function listConnectors(ctx: ReadContext, { project_id }: { readonly project_id: string }) {
  const project = await requireProject(ctx, project_id, 'project.connector.read')
  await tryRefreshCatalogue(ctx, project)
  const rows = await connectors.list(ctx.db, project_id)
  const shown = await presentAll(ctx, project_id, rows)
  const errors = rows.flatMap(({ slug, error }) =>
    error === null ? [] : [{ slug, path: `connectors.${slug}`, error }],
  )
  return { connectors: shown, errors, next_cursor: null }
}

export async function getConnector(ctx: ReadContext, input: ConnectorInput) {
  const { row } = await requireConnector(ctx, input, 'project.connector.read')
  return showConnector(ctx, row)
}

/** One connector as the list shows it. */
export async function showConnector(
  ctx: Pick<ReadContext, 'db' | 'principal' | 'settings'>,
  row: ConnectorRow,
) {
  const [shown] = await presentAll(ctx, row.project_id, [row])
  if (shown === undefined) throw new Error('A row was not presented')
  return shown
}

/** The connector, once the principal was found to hold `capability` on its project. */
export async function requireConnector(
  ctx: ReadContext,
  input: ConnectorInput,
  capability: Capability,
): Promise<{ readonly project: AccessibleProject; readonly row: ConnectorRow }> {
  const project = await requireProject(ctx, input.project_id, capability)
  await tryRefreshCatalogue(ctx, project)
  const row = await connectors.find(ctx.db, input)
  if (row === undefined)
    throw new ServiceError(
      'not_found',
      `There is no connector ${JSON.stringify(input.slug)}; declare it in svc.yaml and merge that`,
    )
  return { project, row }
}

async function presentAll(
  ctx: Pick<ReadContext, 'db' | 'principal' | 'settings'>,
  project_id: string,
  rows: readonly ConnectorRow[],
) {
  const counts = await connectorActions.count(ctx.db, project_id)
  const [only, ...more] = rows
  const key = only !== undefined && more.length === 0 ? { project_id, slug: only.slug } : { project_id }
  const owner = actingUser(ctx.principal)
  const asking = { bound: null, owner, in_person: owner !== null }
  const known = await connections.list(ctx.db, { ...key, user_id: owner })
  return rows.map((row) => {
    const resolved = pickConnection(connectorOf(row), asking, known, row.status)
    return presentConnector(ctx.settings, row, {
      actions: counts.get(row.slug) ?? 0,
      connection: resolved.kind === 'connection' ? resolved.connection : null,
    })
  })
}
