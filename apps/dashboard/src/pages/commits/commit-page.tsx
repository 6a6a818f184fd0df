import { counted } from '@svc/facts'
import type { CommitChanges } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Copy } from '../../parts/copy.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Stat } from '../../review/file-head.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { CommitFiles } from './commit-files.tsx'
import { partsOfMessage } from './message.ts'
import { commitRoute } from './route.tsx'

/** A commit: its message, and what it changed of its first parent. */
export function CommitPage() {
  const { project_id, sha } = commitRoute.useParams()
  const { commits } = useClient().projects
  const shown = useQuery({
    queryKey: ['commit', project_id, sha],
    queryFn: () => commits.get(project_id, sha),
    // A commit never changes.
    staleTime: Infinity,
  })
  const { first = '', body = '' } = shown.data === undefined ? {} : partsOfMessage(shown.data.commit.message)
  return (
    <Page
      key={sha}
      title={first === '' ? `Commit ${sha.slice(0, 8)}` : first}
      up={{ to: `/projects/${project_id}/commits`, label: 'Commits' }}
    >
      <Loaded query={shown}>
        {(found) => (
          <>
            <Facts project_id={project_id} shown={found} />
            {body !== '' && (
              <pre className="text-13 whitespace-pre-wrap text-n11" dir="auto">
                {body}
              </pre>
            )}
            <CommitFiles shown={found} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

interface FactsProps {
  readonly project_id: string
  readonly shown: CommitChanges
}

function Facts({ project_id, shown }: FactsProps) {
  const { sha, author, parents } = shown.commit
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-13">
      <span dir="auto">
        {author.name} <span className="faint">{author.email}</span>
      </span>
      <Moment at={author.at} />
      <span className="flex items-center gap-2">
        <code className="text-12">{sha.slice(0, 8)}</code>
        <Copy text={sha} label="Copy SHA" />
      </span>
      {parents.map((parent) => (
        <span key={parent}>
          <span className="faint">{parents.length > 1 ? 'Merges' : 'After'}</span>{' '}
          <Link
            to="/projects/$project_id/commits/$sha"
            params={{ project_id, sha: parent }}
            aria-label={`Parent ${parent.slice(0, 8)}`}
          >
            <code className="text-12">{parent.slice(0, 8)}</code>
          </Link>
        </span>
      ))}
      <span>
        {counted(shown.files_changed, 'file')}{' '}
        <Stat additions={shown.additions} deletions={shown.deletions} />
      </span>
    </div>
  )
}
