import { openRepository, openSealed } from '@svc/services'
import { readFile, resolveBranch } from '@svc/git'
import { type ConnectionRow, type ConnectorRow, projects, type ProjectRow } from '@svc/db'
import type { Target } from '@svc/upstream'
import { ServiceError } from '@svc/errors'
import type { ExecutorContext } from '../context.ts'
import { parseGrant } from './oauth/grant.ts'
import { credentialName } from '../connections/place.ts'
import { connectorOf } from '../connectors/definition.ts'

/** The longest description of a service. */
const documentBytes = 10 * 1024 * 1024

/** A connector as its provider is asked: with the credential opened, which happens nowhere else. */
export function targetOf(
  ctx: ExecutorContext,
  project: ProjectRow,
  row: Pick<ConnectorRow, 'definition'>,
  connection: ConnectionRow | null,
): Target {
  const sealed = connection?.sealed_credential ?? null
  return {
    connector: connectorOf(row),
    credential: sealed === null || connection === null ? null : sentOf(ctx, project, connection, sealed),
    external_ref: connection?.external_ref ?? null,
    session_scope: connection?.connection_id ?? project.project_id,
    ...(connection === null ? {} : { origin: connection.origin }),
    readFile: (path) => fileOf(ctx, project, path),
  }
}

/** The part of a credential that its service sees: of a sign-in the token alone. */
function sentOf(
  { vault }: Pick<ExecutorContext, 'vault'>,
  project: ProjectRow,
  { connection_id, kind }: ConnectionRow,
  sealed: string,
): Readonly<Record<string, string>> {
  const text = openSealed(vault, project, credentialName(connection_id), sealed)
  if (kind === 'oauth2') return { access_token: parseGrant(text).access_token }
  return JSON.parse(text) as Record<string, string>
}

/** A file of the default branch as it is now. */
async function fileOf(ctx: ExecutorContext, project: ProjectRow, path: string): Promise<Uint8Array | null> {
  const repository = await openRepository(ctx, project)
  const sha = await resolveBranch(repository, project.default_branch)
  if (sha === null) return null
  const file = await readFile(repository, { ref: sha, path, max_bytes: documentBytes })
  return file?.content ?? null
}

export async function requireProjectRow(
  ctx: Pick<ExecutorContext, 'db'>,
  project_id: string,
): Promise<ProjectRow> {
  const project = await projects.find(ctx.db, project_id)
  if (project === undefined)
    throw new ServiceError('not_found', 'There is no such project; list those that you reach')
  return project
}
