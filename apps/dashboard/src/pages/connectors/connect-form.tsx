import type { Connector } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure } from '../../parts/failure.tsx'
import { Field, Select } from '../../parts/field.tsx'
import { GuardedButton } from '../../parts/guarded-button.tsx'
import { toast } from '../../parts/toast.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { neededFor } from './needed-for.ts'

/** Connects an account by the fields of the connector's auth type. They are sealed at once. */
export function ConnectForm({
  project_id,
  connector,
}: {
  readonly project_id: string
  readonly connector: Connector
}) {
  const { slug, credential_fields, authorization_strategy } = connector
  const { connections } = useClient().projects.connectors
  const queries = useQueryClient()
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [scope, setScope] = useState(authorization_strategy === 'user' ? 'personal' : 'project')
  const given = Object.entries(values).filter(([, value]) => value !== '')
  const connect = useMutation({
    mutationFn: () =>
      connections.create(project_id, slug, {
        scope: scope === 'personal' ? 'personal' : 'project',
        credential: Object.fromEntries(given),
      }),
    onSuccess: () => {
      setValues({})
      toast('Connected. No sandbox ever holds it.')
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['connector', project_id, slug] }),
  })
  const isMissing = credential_fields.some(({ name, required }) => required && (values[name] ?? '') === '')
  return (
    <form
      className="card grid gap-3 p-3"
      aria-label="Connect an account"
      onSubmit={(event) => {
        event.preventDefault()
        connect.mutate()
      }}
    >
      {credential_fields.map(({ name, required }) => (
        <Field
          key={name}
          label={required ? name : `${name} (optional)`}
          type="password"
          autoComplete="off"
          value={values[name] ?? ''}
          onChange={(value) => setValues({ ...values, [name]: value })}
        />
      ))}
      <Select
        label="Whose account it is"
        value={scope}
        onChange={setScope}
        options={[
          ['project', 'The project’s'],
          ['personal', 'Mine, for my own sessions'],
        ]}
      />
      <Failure error={connect.error} />
      <div className="flex flex-wrap gap-2">
        <GuardedButton
          needs={neededFor(scope)}
          type="submit"
          className="button primary"
          disabled={connect.isPending || isMissing}
        >
          Connect
        </GuardedButton>
      </div>
    </form>
  )
}
