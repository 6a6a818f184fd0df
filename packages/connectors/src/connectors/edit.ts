import { connectors } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { askForEdit } from '@svc/services'
import type { ConnectorContext } from '../context.ts'
import { type ConnectorInput, requireConnector, showConnector } from './list.ts'

export interface CreateConnectorInput {
  readonly project_id: string
  /** An entry of the manifest, by the manifest's names. */
  readonly connector: Readonly<Record<string, unknown>> & { readonly slug: string }
}

/** Commits a connector to the manifest on the default branch; a session proposes it. Its actions are read a moment later. */
export async function createConnector(
  ctx: ConnectorContext,
  { project_id, connector }: CreateConnectorInput,
) {
  const change = { kind: 'add_connector', connector } as const
  const done = await askForEdit(ctx, project_id, 'project.connector.write', change)
  if (done === null)
    throw new ServiceError(
      'conflict',
      `svc.yaml has ${connector.slug} already; change that entry, or take another slug`,
    )
  if (done.status === 'proposed') return done
  const row = await connectors.find(ctx.db, { project_id, slug: connector.slug })
  if (row === undefined)
    throw new ServiceError('request_deadline', 'It is committed, and not read yet; look again in a moment', {
      retry_after: 5,
    })
  return { connector: await showConnector(ctx, row), commit_sha: done.commit_sha }
}

/** Takes a connector out of the manifest on the default branch; a session proposes that. Its ledger stays. */
export async function deleteConnector(ctx: ConnectorContext, input: ConnectorInput) {
  const { project_id, slug } = input
  const { row } = await requireConnector(ctx, input, 'project.connector.write')
  const connector = await showConnector(ctx, row)
  const done = await askForEdit(ctx, project_id, 'project.connector.write', {
    ...{ kind: 'remove_connector', slug },
  })
  if (done === null)
    throw new ServiceError(
      'not_found',
      `svc.yaml has no connector ${slug}; list the connectors of the project`,
    )
  return done.status === 'proposed' ? done : { connector, commit_sha: done.commit_sha }
}
