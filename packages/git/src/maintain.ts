import { git, type Repository } from './repository.ts'

/**
 * Packs a repository that grew, in the foreground and only when it is worth it. Commits that are on no ref live two
 * weeks, far longer than a planned merge.
 */
export async function maintain(repository: Repository): Promise<void> {
  const config = [
    ['gc.auto', '2000'],
    ['gc.autoDetach', 'false'],
    ['gc.pruneExpire', '2.weeks.ago'],
  ] as const
  await git(repository, ['gc', '--auto', '--quiet'], { config, unlimited: true })
}
