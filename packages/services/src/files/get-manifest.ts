import { openAt, type ReadContext } from './open-at.ts'
import { judgeAt, sourceAt } from '../projects/read-manifest.ts'

/** The manifest at a branch as its author wrote it, with the verdict that the merge gate would give. */
export async function getManifest(
  ctx: ReadContext,
  input: { readonly project_id: string; readonly ref?: string | undefined },
) {
  const { repository, ref, sha: commit_sha } = await openAt(ctx, input)
  const source = commit_sha === null ? null : await sourceAt(repository, commit_sha)
  if (commit_sha === null || source === null) {
    const message = `There is no svc.yaml on ${ref}; svc init writes one`
    const issues = [{ path: '', message, severity: 'error' as const }]
    return { ref, commit_sha, path: null, text: null, valid: false, issues }
  }
  const { valid, issues } = await judgeAt(repository, commit_sha)
  return { ref, commit_sha, ...source, valid, issues }
}
