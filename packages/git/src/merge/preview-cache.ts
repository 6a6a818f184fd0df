import { LRUCache } from 'lru-cache'
import type { MergeVerdict } from './preview-commits.ts'

/** The merge of two commits never changes, so the newest verdicts are kept by their SHAs. */
export interface PreviewCache {
  get(key: string): MergeVerdict | undefined
  set(key: string, verdict: MergeVerdict): unknown
}

export const createPreviewCache = (max = 1_000): PreviewCache => new LRUCache({ max })
