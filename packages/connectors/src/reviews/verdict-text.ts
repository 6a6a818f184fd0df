import type { ReviewVerdict } from '@svc/connector/states'
import type { ReviewItemRow } from '@svc/db'

const verdicts: Readonly<Record<ReviewVerdict, string>> = {
  approve: 'was approved',
  request_changes: 'needs changes',
  reject: 'was rejected',
  dismiss: 'was dismissed: no verdict on it is needed any more',
}

/** The words in which the agent that showed an item is given the verdict on it. */
export function verdictText(
  { review_id, title, options, version }: Pick<ReviewItemRow, 'review_id' | 'title' | 'options' | 'version'>,
  {
    verdict,
    feedback,
    option = null,
  }: {
    readonly verdict: ReviewVerdict
    readonly feedback: string | null
    readonly option?: string | null
  },
): string {
  const chosen = options.find(({ id }) => id === option)
  return [
    `Your review item ${JSON.stringify(title)} (${review_id}, version ${version}) ${verdicts[verdict]}.`,
    chosen && `Chosen: ${chosen.label} (${chosen.id}).`,
    feedback,
    verdict === 'request_changes' && 'Make the changes, commit and push them, and resubmit the same item.',
  ]
    .filter((part) => typeof part === 'string')
    .join('\n\n')
}
