import type { Context } from '@svc/context'
import type { ProjectRow } from '@svc/db'
import { resolveBranch } from '@svc/git'
import type { Issue, Manifest } from '@svc/manifest'
import { readingAt } from './read-manifest.ts'
import { openRepository } from './repository.ts'

/** The manifest on the default branch, as it is now; null where there is none that can be read. */
export async function declaredAt(
  ctx: Pick<Context, 'repositories' | 'vault' | 'signal'>,
  project: ProjectRow,
): Promise<{ readonly manifest: Manifest | null; readonly issues: readonly Issue[] }> {
  const repository = await openRepository(ctx, project)
  const tip = await resolveBranch(repository, project.default_branch)
  const reading = tip === null ? null : await readingAt(repository, tip)
  return { manifest: reading?.manifest ?? null, issues: reading?.issues ?? [] }
}
