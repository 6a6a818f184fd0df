import type { Commit } from '@svc/sdk'
import { Link } from '@tanstack/react-router'
import { useProjectId } from '../../frame/use-project.ts'
import { Copy } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Moment } from '../../parts/moment.tsx'
import { partsOfMessage } from './message.ts'

interface Props {
  readonly commits: readonly Commit[]
}

/** Commits, a line each that leads to what it changed; the rest of a message is folded below it. */
export function CommitRows({ commits }: Props) {
  const project_id = useProjectId() ?? ''
  if (commits.length === 0) return <Empty title="No commit" />
  return (
    <ul className="rows">
      {commits.map(({ sha, author, message }) => {
        const { first, body } = partsOfMessage(message)
        return (
          <li key={sha} className="row flex-wrap">
            <div className="min-w-0 flex-1">
              <Link
                to="/projects/$project_id/commits/$sha"
                params={{ project_id, sha }}
                className="row-link"
                dir="auto"
              >
                {first === '' ? sha.slice(0, 8) : first}
              </Link>
              {body !== '' && (
                <details className="above w-fit max-w-full">
                  <summary className="faint">More</summary>
                  <pre className="mt-1 text-12 whitespace-pre-wrap text-n11">{body}</pre>
                </details>
              )}
              <p className="faint" dir="auto">
                {author.name} · <Moment at={author.at} />
              </p>
            </div>
            <code className="text-12">{sha.slice(0, 8)}</code>
            <Copy text={sha} />
          </li>
        )
      })}
    </ul>
  )
}
