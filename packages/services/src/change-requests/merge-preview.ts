import { preview, resolveBranch } from '@svc/git'
import type { Context } from '../context.ts'
import { judgeAt } from '../projects/read-manifest.ts'
import { openRepository } from '../projects/repository.ts'
import { notAhead, unknownBase } from './ahead.ts'
import { type ChangeRequestInput, requireChangeRequest } from './find-change-request.ts'

/** Worked out from git now, never remembered. */
export async function getMergePreview(
  ctx: Pick<Context, 'db' | 'principal' | 'repositories' | 'vault' | 'signal'>,
  input: ChangeRequestInput,
) {
  const { project, row } = await requireChangeRequest(ctx, input, 'project.read')
  const repository = await openRepository(ctx, project)
  const [base, head] = await Promise.all([
    resolveBranch(repository, row.base_ref),
    resolveBranch(repository, row.head_ref),
  ])
  if (base === null) throw unknownBase(row.base_ref)
  if (head === null) throw notAhead(`The branch ${row.head_ref} is gone`)
  const [verdict, manifest] = await Promise.all([preview(repository, row), judgeAt(repository, head)])
  return { ...verdict, manifest }
}
