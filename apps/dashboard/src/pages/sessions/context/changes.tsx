import { counted } from '@svc/facts'
import { isApiError, type Session, type SessionDiff } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { Loaded } from '../../../parts/loaded.tsx'
import { State } from '../../../parts/state.tsx'
import { OneFile } from '../../../review/one-file.tsx'
import { foldReason } from '../../../review/fold.ts'
import { patchParts } from '../../../review/patch-parts.ts'
import { useClient } from '../../../sign-in/signed-in.tsx'

/** The column beside the conversation is narrow: a review of more is the work of a change request. */
const maxFiles = 30

/** Changes of the session so far, and the change requests that it opened. */
export function Changes({ session: { project_id, session_id } }: { readonly session: Session }) {
  const { changeRequests, sessions } = useClient().projects
  const opened = useQuery({
    queryKey: ['session', session_id, 'work', 'change-requests'],
    queryFn: async () =>
      (await changeRequests.list(project_id, { origin_session_id: session_id, limit: 50 })).items,
  })
  const diff = useQuery({
    queryKey: ['session', session_id, 'work', 'diff'],
    queryFn: async () => {
      try {
        return await sessions.diff(project_id, session_id)
      } catch (error) {
        // The branch is not there yet, or gone with its merge.
        if (isApiError(error) && error.status === 404) return null
        throw error
      }
    },
  })
  return (
    <div className="grid gap-3">
      <Loaded query={opened}>
        {(found) => (
          <ul className="grid gap-2">
            {found.map(({ cr_id, number, title, status }) => (
              <li key={cr_id} className="card grid gap-1 p-3 text-13">
                <Link
                  to="/projects/$project_id/change-requests/$number"
                  params={{ project_id, number: String(number) }}
                  dir="auto"
                >
                  #{number} {title}
                </Link>
                <span className="flex gap-2">
                  <State of={status} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <Loaded query={diff}>{(found) => (found === null ? null : <Diff diff={found} />)}</Loaded>
    </div>
  )
}

function Diff({ diff }: { readonly diff: SessionDiff }) {
  const parts = useMemo(() => patchParts(diff.files, diff.patch), [diff])
  // A list of the files is read at a glance; one file alone is shown at once.
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set())
  const folded = parts.length > 1
  const turned = new Set(
    parts
      .filter((part) => (folded && foldReason(part) === null) !== changed.has(part.file.path))
      .map(({ file }) => file.path),
  )
  if (parts.length === 0) return <p className="hint">Nothing was changed yet.</p>
  const turn = (path: string) =>
    setChanged((before) => {
      const next = new Set(before)
      if (!next.delete(path)) next.add(path)
      return next
    })
  return (
    <section aria-label="Changes so far" className="grid gap-2">
      <p className="hint">
        {diff.source === 'checkpoint' ? 'With what was saved but not committed.' : 'Everything committed.'}
        {diff.patch_truncated && ' The patch was cut; the list of files is whole.'}
      </p>
      <div>
        {parts.slice(0, maxFiles).map((part) => (
          <OneFile key={part.file.path} part={part} view="unified" chosen={null} walk={{ turned, turn }} />
        ))}
      </div>
      {parts.length > maxFiles && (
        <p className="hint">
          {counted(parts.length - maxFiles, 'file')} more; a change request shows all of them.
        </p>
      )}
    </section>
  )
}
