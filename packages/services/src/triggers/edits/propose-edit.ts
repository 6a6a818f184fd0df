import { type AccessibleProject, type Context, requireActor } from '@svc/context'
import type { ChangeRequestRow } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { createBranch, resolveBranch } from '@svc/git'
import type { ManifestEdit } from '@svc/manifest'
import { openChangeRequest } from '../../change-requests/create.ts'
import { openRepository } from '../../projects/repository.ts'
import { nounOf, slugOf, titleOf, writeEdit } from './write-edit.ts'

/**
 * Proposes an edit of the manifest that a session asks for, as a change request: a person decides what lands on the
 * default branch. Null when the edit changes nothing.
 */
export async function proposeEdit(
  ctx: Pick<Context, 'db' | 'principal' | 'repositories' | 'vault' | 'now' | 'newId' | 'trail' | 'signal'>,
  project: AccessibleProject,
  edit: ManifestEdit,
): Promise<ChangeRequestRow | null> {
  const repository = await openRepository(ctx, project)
  const tip = await resolveBranch(repository, project.default_branch)
  const asked = { edit, requested_by: requireActor(ctx), committed_at: ctx.now() }
  const { commit_sha } = await writeEdit(repository, tip, asked)
  if (commit_sha === null) return null
  const branch = `${nounOf(edit)}-${slugOf(edit)}-${ctx.newId().slice(0, 8)}`
  const cut = await createBranch(repository, { branch, at_sha: commit_sha })
  if (cut.kind === 'rejected') throw new ServiceError('repository_push_rejected', cut.message)
  return openChangeRequest(ctx, project, {
    project_id: project.project_id,
    title: titleOf(edit),
    head_ref: branch,
  })
}
