import { gitText, type Repository } from './repository.ts'

export interface AheadBehind {
  /** Commits of head that base does not have. */
  readonly ahead: number
  readonly behind: number
}

export async function aheadBehind(
  repository: Repository,
  { base_sha, head_sha }: { readonly base_sha: string; readonly head_sha: string },
): Promise<AheadBehind> {
  const text = await gitText(repository, [
    'rev-list',
    '--left-right',
    '--count',
    '--end-of-options',
    `${base_sha}...${head_sha}`,
  ])
  const [behind, ahead] = text.split('\t').map(Number)
  return { ahead: ahead ?? 0, behind: behind ?? 0 }
}
