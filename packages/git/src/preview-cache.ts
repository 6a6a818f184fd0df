import type { MergeVerdict } from './preview-commits.ts'

/** What merging two commits gives never changes, so the newest verdicts are kept by their SHAs. */
export interface PreviewCache {
  get(key: string): MergeVerdict | undefined
  set(key: string, verdict: MergeVerdict): void
}

export function createPreviewCache(size = 1_000): PreviewCache {
  const verdicts = new Map<string, MergeVerdict>()
  return {
    get(key) {
      const verdict = verdicts.get(key)
      if (verdict) {
        verdicts.delete(key)
        verdicts.set(key, verdict)
      }
      return verdict
    },
    set(key, verdict) {
      verdicts.set(key, verdict)
      const oldest = verdicts.keys().next()
      if (verdicts.size > size && !oldest.done) verdicts.delete(oldest.value)
    },
  }
}
