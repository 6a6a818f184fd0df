import type { Repository } from '@svc/git'
import { addedErrors, type Issue } from '@svc/manifest'
import { judgeAt } from '../projects/read-manifest.ts'

export interface ManifestGate {
  /** Of the head's manifest. */
  readonly valid: boolean
  readonly issues: readonly Issue[]
  /** Issues that block the merge. */
  readonly blocking: readonly Issue[]
}

/**
 * Checks whether the manifest allows a merge. A manifest that is invalid on the base already may stay as it is or get
 * better: only errors that the head adds are refused.
 */
export async function manifestGate(
  repository: Repository,
  { base_sha, head_sha }: { readonly base_sha: string; readonly head_sha: string },
): Promise<ManifestGate> {
  const { valid, issues, checked } = await judgeAt(repository, head_sha)
  if (valid) return { valid, issues, blocking: [] }
  if (!checked) return { valid, issues, blocking: issues }
  const base = await judgeAt(repository, base_sha)
  return { valid, issues, blocking: base.valid ? issues : addedErrors(base.issues, issues) }
}
