import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FolderGit2, Plus } from 'lucide-react'
import { useInboxCount } from '../../inbox/use-count.ts'
import { Empty } from '../../parts/empty.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'

/** Every project that the person reaches. */
export function ProjectsPage() {
  const client = useClient()
  const projects = useQuery({ queryKey: ['projects'], queryFn: () => client.projects.list() })
  return (
    <Page
      title="Projects"
      narrow
      actions={
        <Link to="/projects/new" className="button primary">
          <Plus aria-hidden />
          New project
        </Link>
      }
    >
      <Loaded query={projects}>
        {(found) =>
          found.length === 0 ? (
            <Empty title="No project yet">
              <p className="hint">
                A project is a git repository whose work agents do: a new one kept here, or one that you have.
              </p>
              <Link to="/projects/new" className="button primary">
                Create the first one
              </Link>
            </Empty>
          ) : (
            <ul className="rows">
              {found.map(({ project_id, name, slug, repo_url, git_origin_url, created_at }) => (
                <li key={project_id} className="row">
                  <FolderGit2 aria-hidden className="glyph text-n10" />
                  <div className="min-w-0 flex-1">
                    <Link
                      to="/projects/$project_id/sessions"
                      params={{ project_id }}
                      className="row-link"
                      dir="auto"
                    >
                      {name}
                    </Link>{' '}
                    <span className="faint">{slug}</span>
                    <p className="faint truncate">
                      {git_origin_url === null ? repo_url : 'repository kept here'}
                    </p>
                  </div>
                  <Waiting project_id={project_id} />
                  <span className="faint">
                    made <Moment at={created_at} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  )
}

function Waiting({ project_id }: { readonly project_id: string }) {
  const total = useInboxCount(project_id)?.['total'] ?? 0
  if (total === 0) return null
  return <span className="count">{total} waiting</span>
}
