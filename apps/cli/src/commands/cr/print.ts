import { counted } from '@svc/facts'
import type { ChangeRequest, MergePreview, ModelUsage } from '@svc/sdk'
import { isObject, stringOf } from '../../json-values.ts'
import { ago } from '../../output/ago.ts'
import type { Output } from '../../output/output.ts'
import { oneLine, plain } from '../../output/plain.ts'
import { usageText } from '../../output/usage-text.ts'

export function printChangeRequest(out: Output, cr: ChangeRequest, cost: ModelUsage): void {
  const at = (instant: string | null) =>
    instant === null ? null : `${ago(instant, Date.now())} (${instant})`
  out.line(out.colors.bold(`#${cr.number}  ${oneLine(cr.title)}`))
  out.fields([
    ['status', cr.status],
    ['head', ref(cr.head_ref, cr.head_commit_sha)],
    ['base', ref(cr.base_ref, cr.base_commit_sha)],
    ['id', cr.cr_id],
    ['session', cr.origin_session_id],
    ['cost', usageText(cost)],
    ['opened', at(cr.created_at)],
    ['merged', at(cr.merged_at)],
    ['merge commit', cr.merge_commit_sha],
    ['closed', at(cr.closed_at)],
  ])
  if (cr.description.trim() !== '') out.line(`\n${plain(cr.description).trimEnd()}`)
  const requested = cr.metadata['requested_changes']
  for (const entry of Array.isArray(requested) ? requested : []) {
    if (isObject(entry)) out.line(`\nChanges requested: ${plain(stringOf(entry, 'text') ?? '')}`)
  }
}

function ref(name: string, sha: string | null): string {
  return sha === null ? oneLine(name) : `${oneLine(name)}  ${sha.slice(0, 12)}`
}

export function printPreview(out: Output, preview: MergePreview): void {
  const { colors } = out
  out.line()
  out.line(
    preview.can_merge && !preview.manifest.blocks
      ? colors.green(verdict(preview))
      : colors.red(verdict(preview)),
  )
  out.line(`${preview.ahead} ahead, ${preview.behind} behind`)
  out.line(`checks: ${checks(preview)}`)
  for (const path of preview.conflicts) out.line(`  conflict: ${oneLine(path)}`)
  for (const issue of preview.manifest.issues) {
    const line = issue.line === undefined ? '' : ` (line ${issue.line})`
    out.line(`  manifest ${issue.severity}: ${oneLine(issue.path)}: ${oneLine(issue.message)}${line}`)
  }
}

/** The results of the merge's own checks. */
function checks({ conflicts, manifest }: MergePreview): string {
  const merge = conflicts.length === 0 ? 'no conflicts' : counted(conflicts.length, 'conflict')
  if (manifest.valid) return `${merge}, manifest valid`
  return `${merge}, manifest not valid${manifest.blocks ? '' : ', as on the base'}`
}

/** One sentence on what a merge would do now. */
export function verdict(preview: MergePreview): string {
  if (preview.is_up_to_date) return 'Nothing to merge: the base already has everything.'
  if (preview.merge_base === null) return 'Cannot merge: the histories are unrelated.'
  if (!preview.can_merge) return `Cannot merge: ${counted(preview.conflicts.length, 'conflict')}.`
  if (preview.manifest.blocks) return 'Cannot merge: the manifest on the head branch is not valid.'
  return preview.can_fast_forward
    ? 'Merges cleanly, as a fast-forward.'
    : 'Merges cleanly, with a merge commit.'
}
