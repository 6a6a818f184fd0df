import type { ManifestAt } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Empty } from '../../parts/empty.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { NumberedCode } from '../../review/numbered-code.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { RefChoice } from '../files/ref-choice.tsx'
import { manifestRoute } from './route.tsx'

/** The manifest of a branch with the verdict of the merge gate: its issues in a list, and beside their lines. */
export function ManifestPage() {
  const { project_id } = manifestRoute.useParams()
  const { ref, line } = manifestRoute.useSearch()
  const navigate = useNavigate({ from: manifestRoute.fullPath })
  const { manifest } = useClient().projects
  const query = useQuery({
    queryKey: ['manifest', project_id, ref],
    queryFn: () => manifest.get(project_id, ref === undefined ? {} : { ref }),
  })
  return (
    <Page title="Manifest" narrow>
      <RefChoice
        project_id={project_id}
        value={ref}
        onChange={(next) => void navigate({ search: { ref: next, line: undefined } })}
      />
      <Loaded query={query}>
        {(found) => (
          <>
            <Verdict {...found} />
            {found.path === null || found.text === null ? (
              <Empty title="No manifest on this branch">
                <p className="hint">Let a session write svc.yaml, and merge what it opens.</p>
              </Empty>
            ) : (
              <NumberedCode
                label={found.path}
                text={found.text}
                language="yaml"
                notes={found.issues.flatMap(({ line: at, message, severity }) =>
                  at === undefined
                    ? []
                    : [{ line: at, text: message, tone: severity === 'error' ? 'bad' : 'warn' }],
                )}
                chosen={line ?? null}
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Verdict({ valid, issues }: Pick<ManifestAt, 'valid' | 'issues'>) {
  return (
    <>
      {valid && <p className="notice ok">Valid: a merge takes it as it is.</p>}
      {issues.length > 0 && <Issues issues={issues} valid={valid} />}
    </>
  )
}

function Issues({ valid, issues }: Pick<ManifestAt, 'valid' | 'issues'>) {
  return (
    <section aria-labelledby="manifest-issues" className={`notice ${valid ? 'warn' : 'bad'}`}>
      <h2 id="manifest-issues">Manifest issues</h2>
      <ul className="grid gap-1">
        {issues.map(({ path, message, line, severity }) => (
          <li key={`${path} ${line} ${message}`}>
            {severity === 'warning' && 'Warning: '}
            {line !== undefined && (
              <>
                <Link
                  from={manifestRoute.fullPath}
                  search={(before) => ({ ...before, line })}
                  replace
                >{`line ${line}`}</Link>{' '}
              </>
            )}
            <code>{path}</code> {message}
          </li>
        ))}
      </ul>
    </section>
  )
}
