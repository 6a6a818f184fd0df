import type { Commit } from '@svc/sdk'
import { Copy } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Moment } from '../../parts/moment.tsx'

interface Props {
  readonly commits: readonly Commit[]
}

/** Commits, a line each; the rest of a message is folded below it. */
export function CommitRows({ commits }: Props) {
  if (commits.length === 0) return <Empty title="No commit" />
  return (
    <ul className="rows">
      {commits.map(({ sha, author, message }) => {
        const [first = '', ...rest] = message.trim().split('\n')
        const body = rest.join('\n').trim()
        return (
          <li key={sha} className="row flex-wrap">
            <div className="min-w-0 flex-1">
              {body === '' ? (
                <p className="font-medium" dir="auto">
                  {first}
                </p>
              ) : (
                <details>
                  <summary className="font-medium" dir="auto">
                    {first}
                  </summary>
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
