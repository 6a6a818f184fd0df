import { isPreviewPort, type Session } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Link } from 'wouter'
import { Badge } from '../parts/badge.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { useClient } from '../sign-in/signed-in.tsx'

/** The change requests that the session opened. */
export function OpenedChangeRequests({ project_id, session_id }: Pick<Session, 'project_id' | 'session_id'>) {
  const { changeRequests } = useClient().projects
  const opened = useQuery({
    queryKey: ['session-change-requests', session_id],
    queryFn: async () =>
      (await changeRequests.list(project_id, { origin_session_id: session_id, limit: 50 })).items,
  })
  return (
    <Loaded query={opened}>
      {(found) =>
        found.length === 0 ? (
          'none yet'
        ) : (
          <ul className="bare">
            {found.map(({ cr_id, number, title, status }) => (
              <li key={cr_id}>
                <Link href={`/change-requests/${number}`}>
                  #{number} {title}
                </Link>{' '}
                <Badge status={status} />
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

/** A page cannot send the token with an address that it opens, and a token has no place in one: the CLI opens a door. */
export function Preview({ session_id }: Pick<Session, 'session_id'>) {
  const field = useId()
  const [port, setPort] = useState('3000')
  return (
    <>
      <label htmlFor={field}>Port</label>{' '}
      <input
        id={field}
        className="port"
        inputMode="numeric"
        value={port}
        onChange={({ target }) => setPort(target.value)}
      />{' '}
      <span role="status">
        {/^\d+$/.test(port) && isPreviewPort(Number(port)) ? (
          <>
            <code>
              svc sessions preview {session_id.slice(0, 8)} {port} --open
            </code>{' '}
            shows it on your machine.
          </>
        ) : (
          'Give the port of a program in the sandbox, 1 to 65535; 22, 4096 and 8000 are never shown.'
        )}
      </span>
    </>
  )
}
