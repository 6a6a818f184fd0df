import type { Context } from '@svc/context'
import { previewCommits } from '@svc/git'
import { openRepository } from '../projects/repository.ts'
import { headGone, unknownBase } from './ahead.ts'
import { type ChangeRequestInput, requireChangeRequest } from './find-change-request.ts'
import { liveTips } from './live-tips.ts'
import { manifestGate } from './manifest-gate.ts'

/** Computed from git at each call, never stored. */
export async function getMergePreview(
  ctx: Pick<Context, 'db' | 'principal' | 'repositories' | 'vault' | 'signal'>,
  input: ChangeRequestInput,
) {
  const { project, row } = await requireChangeRequest(ctx, input, 'project.read')
  const repository = await openRepository(ctx, project)
  const { base_sha, head_sha } = await liveTips(repository, row)
  if (base_sha === null) throw unknownBase(row.base_ref)
  if (head_sha === null) throw headGone(row)
  const [verdict, { valid, issues, blocking }] = await Promise.all([
    previewCommits(repository, { base_sha, head_sha }),
    manifestGate(repository, { base_sha, head_sha }),
  ])
  return { ...verdict, manifest: { valid, issues, blocks: blocking.length > 0 } }
}
