import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { git, type Repository } from '../repository.ts'

/** Loose objects spread evenly over 256 folders, so one folder tells of all, as it does for git's own `gc --auto`. */
const sample = '17'
const looseInSample = 8
const packs = 20

/**
 * Packs a repository that grew, in the foreground and only when it is worth it: about 2,000 loose objects, or many
 * packs. Objects on no ref, as previews leave them, go into a pack of their own and live two weeks, far longer than a
 * planned merge. True when there was work.
 */
export async function maintain(repository: Repository): Promise<boolean> {
  const objects = join(repository.git_dir, 'objects')
  const [loose, packed] = await Promise.all([names(join(objects, sample)), names(join(objects, 'pack'))])
  if (loose.length < looseInSample && packed.filter((name) => name.endsWith('.pack')).length <= packs) {
    return false
  }
  await git(repository, ['gc', '--quiet', '--cruft', '--prune=2.weeks.ago'], { unlimited: true })
  return true
}

function names(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}
