import { type Context, requireProject } from '@svc/context'
import { type ProjectSecretRow, secrets } from '@svc/db'
import { resolveBranch } from '@svc/git'
import { missingSecrets } from '@svc/manifest'
import { manifestAt } from '../projects/read-manifest.ts'
import { tryOpenRepository } from '../projects/repository.ts'

/** Names only, and what the manifest on the default branch asks for. */
export async function listSecrets(
  ctx: Pick<Context, 'db' | 'principal' | 'repositories' | 'vault' | 'signal'>,
  input: { project_id: string },
) {
  const project = await requireProject(ctx, input.project_id, 'project.secret.read')
  const rows = await secrets.list(ctx.db, input.project_id)
  const repository = await tryOpenRepository(ctx, project)
  const tip = repository === null ? null : await resolveBranch(repository, project.default_branch)
  const manifest = repository === null || tip === null ? null : await manifestAt(repository, tip)
  const required = [...(manifest?.env?.required ?? [])]
  const optional = [...(manifest?.env?.optional ?? [])]
  const names = rows.map((row) => row.name)
  return {
    items: rows.map(presentSecret),
    required,
    optional,
    missing: [...missingSecrets(manifest, names)],
  }
}

export function presentSecret(row: ProjectSecretRow) {
  return {
    name: row.name,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
    configured: true,
  }
}
