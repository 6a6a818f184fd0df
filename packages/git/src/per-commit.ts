import { LRUCache } from 'lru-cache'
import type { Repository } from './repository.ts'

/**
 * What is worked out from a commit never changes, so the newest results are kept. Finding nothing is not a result: what
 * is damaged is asked again.
 */
export function perCommit<T extends object>(
  work: (repository: Repository, sha: string) => Promise<T | null>,
  { max }: { readonly max: number },
): (repository: Repository, sha: string) => Promise<T | null> {
  const known = new LRUCache<string, T>({ max })
  return async (repository, sha) => {
    const key = `${repository.git_dir} ${sha}`
    const found = known.get(key) ?? (await work(repository, sha))
    if (found !== null) known.set(key, found)
    return found
  }
}
