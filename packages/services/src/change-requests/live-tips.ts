import { branchTips, type Repository } from '@svc/git'

export interface LiveTips {
  readonly base_sha: string | null
  readonly head_sha: string | null
}

/** Current tips of both branches; null for a branch that does not exist. */
export async function liveTips(
  repository: Repository,
  { base_ref, head_ref }: { readonly base_ref: string; readonly head_ref: string },
): Promise<LiveTips> {
  const tips = await branchTips(repository, [base_ref, head_ref])
  return { base_sha: tips.get(base_ref) ?? null, head_sha: tips.get(head_ref) ?? null }
}
