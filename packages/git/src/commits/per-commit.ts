import { LRUCache } from 'lru-cache'
import type { Repository } from '../repository.ts'

export interface Derived<T> {
  readonly value: T
  /** The length of the text that it was made of. */
  readonly bytes: number
}

/**
 * A result that is derived from a commit never changes, so the newest results are kept, of `max_bytes` of text in
 * all. Finding nothing is no result: a damaged commit is read again.
 */
export function perCommit<T>(
  work: (repository: Repository, sha: string) => Promise<Derived<T> | null>,
  { max_bytes }: { readonly max_bytes: number },
): (repository: Repository, sha: string) => Promise<T | null> {
  const known = new LRUCache<string, Derived<T>>({
    maxSize: max_bytes,
    sizeCalculation: ({ bytes }, key) => bytes + key.length,
  })
  return async (repository, sha) => {
    const key = `${repository.git_dir} ${sha}`
    const found = known.get(key) ?? (await work(repository, sha))
    if (found === null) return null
    known.set(key, found)
    return found.value
  }
}
