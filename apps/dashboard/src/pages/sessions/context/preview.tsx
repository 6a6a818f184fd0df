import { isPreviewPort, type Session } from '@svc/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure } from '../../../parts/failure.tsx'
import { Field } from '../../../parts/field.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'

/** A program of the sandbox, shown here under a host of its own that knows nothing of the platform's sign-in. */
export function Preview({ session }: { readonly session: Session }) {
  const { project_id, session_id } = session
  const { sessions } = useClient().projects
  const [port, setPort] = useState('3000')
  const ticket = useMutation({
    mutationFn: () => sessions.previewTicket(project_id, session_id, { port: Number(port) }),
  })
  if (session.status !== 'running')
    return <p className="hint">The sandbox does not run: start the session to see what it serves.</p>
  const usable = /^\d+$/.test(port) && isPreviewPort(Number(port))
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (usable) ticket.mutate()
      }}
    >
      <Field
        label="Port"
        value={port}
        onChange={setPort}
        inputMode="numeric"
        hint={
          usable
            ? undefined
            : 'The port of a program in the sandbox, 1 to 65535; 22, 4096 and 8000 are never shown.'
        }
      />
      <p>
        <button type="submit" className="button" disabled={!usable || ticket.isPending}>
          Show
        </button>
      </p>
      <Failure error={ticket.error} />
      {ticket.data !== undefined && (
        <iframe
          title={`Preview of port ${port}`}
          src={ticket.data.url}
          sandbox="allow-scripts allow-forms allow-same-origin"
          className="h-[60vh] w-full rounded-m border border-n7"
        />
      )}
      <p className="faint">
        In a tab of your own:{' '}
        <code>
          svc sessions preview {session_id.slice(0, 8)} {port} --open
        </code>
      </p>
    </form>
  )
}
