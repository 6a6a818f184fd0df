import { inboxItems } from '@svc/db'
import { adapterOf } from './adapter.ts'

/** Work and decisions that were shown, for people who may decide. The next version is a new thing to look at. */
export const review = adapterOf({
  rows: (scope) => inboxItems.openReviews(scope.holding('project.review.act')),
  entry: (row) => ({
    project_id: row.project_id,
    session_id: row.session_id,
    title: row.title,
    phrase: phraseOf(row),
    risk: row.risk === 'none' ? null : row.risk,
    // A decision needs an option, which no approval of many things at once names.
    safe: row.kind === 'output' && (row.risk === 'none' || row.risk === 'low'),
    at: row.updated_at,
    path: `/projects/${row.project_id}/reviews/${row.review_id}`,
  }),
})

/** The beginning of the summary, which is markdown, on one line. */
function phraseOf({ kind, summary }: inboxItems.OpenReview): string {
  const line = summary.split('\n').find((text) => text.trim() !== '') ?? ''
  const said = line.replaceAll(/^[#>*\s-]+|[*_`]/g, '').trim()
  if (said === '') return kind === 'decision' ? 'Choose one of the options' : 'Look at it and give a verdict'
  return said.length > 200 ? `${said.slice(0, 199)}…` : said
}
