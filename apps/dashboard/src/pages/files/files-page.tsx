import { isApiError } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { File, Folder } from 'lucide-react'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { FileText } from './file-text.tsx'
import { RefChoice } from './ref-choice.tsx'
import { filesRoute } from './route.tsx'

/** The repository at a branch: a folder, or a file. */
export function FilesPage() {
  const { project_id, _splat: path = '' } = filesRoute.useParams()
  const { ref } = filesRoute.useSearch()
  const navigate = useNavigate({ from: filesRoute.fullPath })
  const { files } = useClient().projects
  const at = { ...(ref === undefined ? {} : { ref }) }
  const found = useQuery({
    queryKey: ['files', project_id, ref, path],
    queryFn: async () => {
      try {
        return { folder: await files.list(project_id, { ...at, path }) }
      } catch (error) {
        if (path === '' || !isApiError(error) || error.status >= 500) throw error
        return { file: await files.read(project_id, { ...at, path }) }
      }
    },
  })
  const steps = path === '' ? [] : path.split('/')
  return (
    <Page title={steps.at(-1) ?? 'Files'} narrow>
      <RefChoice
        project_id={project_id}
        value={ref}
        onChange={(next) => void navigate({ search: { ref: next } })}
      />
      <nav aria-label="Path" className="flex flex-wrap gap-1 font-mono text-13">
        <Link to="/projects/$project_id/files/$" params={{ project_id, _splat: '' }} search={{ ref }}>
          root
        </Link>
        {steps.map((name, index) => (
          <span key={index}>
            {'/ '}
            <Link
              to="/projects/$project_id/files/$"
              params={{ project_id, _splat: steps.slice(0, index + 1).join('/') }}
              search={{ ref }}
            >
              {name}
            </Link>
          </span>
        ))}
      </nav>
      <Loaded query={found}>
        {(what) =>
          what.file !== undefined ? (
            <FileText path={path} file={what.file} />
          ) : (
            <ul className="rows">
              {[...what.folder.entries]
                .sort((a, b) => Number(b.type === 'directory') - Number(a.type === 'directory'))
                .map((entry) => (
                  <li key={entry.path} className="row">
                    {entry.type === 'directory' ? (
                      <Folder aria-label="folder" className="glyph text-n10" />
                    ) : (
                      <File aria-label={entry.type} className="glyph text-n10" />
                    )}
                    <Link
                      to="/projects/$project_id/files/$"
                      params={{ project_id, _splat: entry.path }}
                      search={{ ref }}
                      className="row-link min-w-0 flex-1"
                      dir="auto"
                    >
                      {entry.path.slice(entry.path.lastIndexOf('/') + 1)}
                    </Link>
                    {entry.size !== null && <span className="faint">{entry.size} B</span>}
                  </li>
                ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  )
}
