import type { CommitLinks } from '../parse/commit-links.ts'

/** What a commit builds on never changes, so the newest are kept by their SHAs. They say nothing of a repository. */
export interface LinksCache {
  get(sha: string): CommitLinks | undefined
  set(sha: string, links: CommitLinks): void
}

export function createLinksCache(size = 20_000): LinksCache {
  const known = new Map<string, CommitLinks>()
  return {
    get: (sha) => known.get(sha),
    set(sha, links) {
      known.delete(sha)
      known.set(sha, links)
      const oldest = known.keys().next()
      if (known.size > size && !oldest.done) known.delete(oldest.value)
    },
  }
}
