import type { ManifestIssue } from '@svc/sdk'
import { Link } from '@tanstack/react-router'
import type { Shown } from './use-change-request.ts'
import { GuardedButton } from '../../parts/guarded-button.tsx'

interface Props {
  readonly shown: Shown
  readonly onRequestChanges: (text?: string) => void
}

/** Obstacles to a merge: conflicts and the manifest's issues, each below its own heading. */
export function Obstacles({ shown: { cr, preview }, onRequestChanges }: Props) {
  if (preview === null) return null
  const { conflicts, manifest } = preview
  const resolve = `Your branch conflicts with ${cr.base_ref} in these files. Merge ${cr.base_ref} into it, resolve them, and push:\n${conflicts
    .map((path) => `- ${path}`)
    .join('\n')}`
  return (
    <>
      {conflicts.length > 0 && (
        <section className="grid gap-2">
          <h2>Conflicts</h2>
          <ul className="grid gap-1 font-mono text-12">
            {conflicts.map((path) => (
              <li key={path}>{path}</li>
            ))}
          </ul>
          {cr.origin_session_id !== null && (
            <p>
              <GuardedButton
                needs="project.gitops.push"
                className="button small"
                onClick={() => onRequestChanges(resolve)}
              >
                Ask the agent to resolve
              </GuardedButton>
            </p>
          )}
        </section>
      )}
      {manifest.issues.length > 0 && (
        <section className="grid gap-2">
          <h2>Manifest issues</h2>
          {!manifest.blocks && (
            <p className="hint">
              The manifest of {cr.base_ref} has them already, so they do not stand in the way.
            </p>
          )}
          <ul className="grid gap-2 text-13">
            {manifest.issues.map((issue, index) => (
              <li key={index}>
                <IssueLine project_id={cr.project_id} gitRef={cr.head_ref} issue={issue} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

interface IssueProps {
  readonly project_id: string
  readonly gitRef: string
  readonly issue: ManifestIssue
}

function IssueLine({ project_id, gitRef, issue }: IssueProps) {
  const { severity, path, message, line } = issue
  return (
    <>
      <span className={severity === 'error' ? 'tone-bad' : 'tone-warn'}>{severity}</span>{' '}
      <Link to="/projects/$project_id/manifest" params={{ project_id }} search={{ ref: gitRef, line }}>
        <code>{path === '' ? 'svc.yaml' : path}</code>
        {line !== undefined && `, line ${line}`}
      </Link>{' '}
      {message}
    </>
  )
}
