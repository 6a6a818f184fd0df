import { LRUCache } from 'lru-cache'
import type { CommitLinks } from '../parse/commit-links.ts'

/** The parents of a commit never change, so the newest are kept by their SHAs. They say nothing of a repository. */
export interface LinksCache {
  get(sha: string): CommitLinks | undefined
  set(sha: string, links: CommitLinks): unknown
}

export const createLinksCache = (max = 20_000): LinksCache => new LRUCache({ max })
