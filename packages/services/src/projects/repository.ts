import type { BaseContext } from '@svc/context'
import type { ProjectRow } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { Repository, RepositoryTarget } from '@svc/git'
import { z } from 'zod'
import { openSealed } from './project-vault.ts'

const Credential = z.object({ username: z.string(), token: z.string() })

export function repositoryTarget(ctx: Pick<BaseContext, 'vault'>, project: ProjectRow): RepositoryTarget {
  const { project_id, repo_url } = project
  if (project.kind === 'managed') return { kind: 'managed', project_id }
  return { kind: 'connected', project_id, repo_url, credential: connectedCredential(ctx, project) }
}

/** The owner's credential for a connected repository; null for a public one. */
export function connectedCredential(ctx: Pick<BaseContext, 'vault'>, project: ProjectRow) {
  if (project.sealed_credential === null) return null
  return Credential.parse(
    JSON.parse(openSealed(ctx.vault, project, 'repository-credential', project.sealed_credential)),
  )
}

/** The project's repository, no older than this call. */
export async function openRepository(
  ctx: Pick<BaseContext, 'vault' | 'repositories'> & { readonly signal: AbortSignal },
  project: ProjectRow,
): Promise<Repository> {
  return ctx.repositories.open(repositoryTarget(ctx, project), { signal: ctx.signal })
}

/** For reads that serve what is stored when the repository cannot be reached. */
export async function tryOpenRepository(
  ctx: Pick<BaseContext, 'vault' | 'repositories'> & { readonly signal: AbortSignal },
  project: ProjectRow,
): Promise<Repository | null> {
  try {
    return await openRepository(ctx, project)
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
}
