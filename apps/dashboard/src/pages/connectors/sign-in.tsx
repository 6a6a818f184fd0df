import type { BeginConnectorAuthorizationInput, Connector } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Failure } from '../../parts/failure.tsx'
import { Select } from '../../parts/field.tsx'
import { GuardedButton } from '../../parts/guarded-button.tsx'
import { toast } from '../../parts/toast.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { neededFor } from './needed-for.ts'
import { connectorRoute } from './route.tsx'

/** Goes to the page of a service where the person signs in. */
export function useSignIn(project_id: string, slug: string) {
  const { authorizations } = useClient().projects.connectors
  return useMutation({
    mutationFn: (input: BeginConnectorAuthorizationInput) => authorizations.begin(project_id, slug, input),
    onSuccess: ({ authorization_url }) => {
      if (authorization_url !== null) window.location.assign(authorization_url)
    },
  })
}

/** Connects an account by a sign-in at its service, and finishes that when the browser comes back from there. */
export function SignIn({
  project_id,
  connector: { slug, name, authorization_strategy, connection },
}: {
  readonly project_id: string
  readonly connector: Connector
}) {
  const [scope, setScope] = useState(authorization_strategy === 'user' ? 'personal' : 'project')
  const begin = useSignIn(project_id, slug)
  const finish = useFinish(project_id, slug)
  return (
    <form
      className="card grid gap-3 p-3"
      aria-label={`Sign in at ${name}`}
      onSubmit={(event) => {
        event.preventDefault()
        begin.mutate({ scope: scope === 'personal' ? 'personal' : 'project' })
      }}
    >
      {finish.isPending && <p role="status">Connecting what you signed in for…</p>}
      {finish.data?.error != null && (
        <p role="alert" className="break-words">
          Not connected: {finish.data.error}
        </p>
      )}
      <Failure error={finish.error} />
      <Select
        label="Whose account it becomes"
        value={scope}
        onChange={setScope}
        options={[
          ['project', 'The project’s'],
          ['personal', 'Mine, for my own sessions'],
        ]}
      />
      <Failure error={begin.error} />
      <div className="flex flex-wrap gap-2">
        <GuardedButton
          needs={neededFor(scope)}
          type="submit"
          className={connection === null ? 'button primary' : 'button'}
          disabled={begin.isPending || finish.isPending}
        >
          Sign in at {name}
        </GuardedButton>
      </div>
    </form>
  )
}

/** The sign-in that the address names, once: a reload of the page begins nothing anew. */
function useFinish(project_id: string, slug: string) {
  const { authorization } = connectorRoute.useSearch()
  const { authorizations } = useClient().projects.connectors
  const queries = useQueryClient()
  const navigate = useNavigate()
  const finish = useMutation({
    mutationFn: (id: string) => authorizations.finish(project_id, slug, id),
    onSuccess: ({ status }) => {
      if (status === 'connected') toast('Connected. No sandbox ever holds it.')
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['connector', project_id, slug] }),
  })
  const { mutate } = finish
  useEffect(() => {
    if (authorization === undefined) return
    mutate(authorization)
    void navigate({ to: '.', search: {}, replace: true })
  }, [authorization, mutate, navigate])
  return finish
}
