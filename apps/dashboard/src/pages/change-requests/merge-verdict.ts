import { counted } from '@svc/facts'
import type { MergePreview } from '@svc/sdk'

export interface Verdict {
  /** True when the merge is worth asking for; the API decides again when it is. */
  readonly can_merge: boolean
  readonly words: string
}

/** The outcome of merging now, in a sentence. */
export function mergeVerdict(preview: Omit<MergePreview, 'base_sha' | 'head_sha' | 'merge_base'>): Verdict {
  const { is_up_to_date, can_merge, can_fast_forward, ahead, behind, manifest } = preview
  if (is_up_to_date) return { can_merge: false, words: 'There is nothing to merge: the base has all of it.' }
  if (!can_merge) return { can_merge: false, words: 'It conflicts with the base in these files:' }
  if (manifest.blocks) return { can_merge: false, words: 'Its svc.yaml is not valid:' }
  const still = manifest.valid ? '' : ' Its svc.yaml is not valid, as on the base:'
  const commits = counted(ahead, 'commit')
  return {
    can_merge: true,
    words: can_fast_forward
      ? `It merges cleanly: the base moves forward by ${commits}.${still}`
      : `It merges cleanly: a merge commit joins ${commits} and ${behind} of the base.${still}`,
  }
}
