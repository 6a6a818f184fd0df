import type { ReviewItem } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Markdown } from '../../conversation/markdown.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { State } from '../../parts/state.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { reviewRoute } from './route.tsx'
import { VerdictForm } from './verdict-form.tsx'

/** One thing that was shown, whole, with the verdict on it or the form for one. */
export function ReviewPage() {
  const { project_id, review_id } = reviewRoute.useParams()
  const { reviews } = useClient().projects
  const query = useQuery({
    queryKey: ['review', project_id, review_id],
    queryFn: () => reviews.get(project_id, review_id),
  })
  return (
    <Page
      title={query.data?.title ?? 'Review'}
      beside={query.data && <State of={query.data.status} />}
      up={{ to: '/', label: 'Needs you' }}
      narrow
    >
      <Loaded query={query}>
        {(item) => (
          <>
            <Shown item={item} />
            {item.status === 'needs_you' ? (
              <VerdictForm key={item.version} item={item} />
            ) : (
              <Verdict item={item} />
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Shown({ item }: { readonly item: ReviewItem }) {
  const { project_id, session_id, risk, version, created_at, summary, files, url } = item
  return (
    <>
      <p className="faint">
        Risk {risk}, as its submitter sees it · version {version} · <Moment at={created_at} />
        {session_id !== null && (
          <>
            {' · '}
            <Link to="/projects/$project_id/sessions/$session_id" params={{ project_id, session_id }}>
              Session
            </Link>
          </>
        )}
      </p>
      {summary !== '' && <Markdown text={summary} />}
      {url !== null && (
        <p>
          <a href={url} target="_blank" rel="noreferrer noopener" className="break-words">
            {url}
          </a>
        </p>
      )}
      {files.length > 0 && (
        <section aria-labelledby="review-files">
          <h2 id="review-files">Files</h2>
          <ul className="grid gap-1">
            {files.map(({ path, commit_sha }) => (
              <li key={path} className="break-words">
                <code>{path}</code> at{' '}
                <Link to="/projects/$project_id/commits/$sha" params={{ project_id, sha: commit_sha }}>
                  {commit_sha.slice(0, 12)}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function Verdict({ item }: { readonly item: ReviewItem }) {
  const { status, feedback, option, options, decided_at } = item
  const chosen = options.find(({ id }) => id === option)
  return (
    <section className="card grid gap-2 p-3" aria-labelledby="review-verdict">
      <h2 id="review-verdict">
        {status.replace('_', ' ')}
        {decided_at !== null && (
          <span className="faint">
            {' '}
            <Moment at={decided_at} />
          </span>
        )}
      </h2>
      {chosen !== undefined && <p>Chosen: {chosen.label}</p>}
      {feedback !== null && <Markdown text={feedback} />}
    </section>
  )
}
