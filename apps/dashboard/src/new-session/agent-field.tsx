import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Failure } from '../parts/failure.tsx'
import { useClient } from '../sign-in/signed-in.tsx'

interface Props {
  readonly project_id: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The choice among the manifest's agents; typed where they cannot be read. */
export function AgentField({ project_id, value, onChange }: Props) {
  const client = useClient()
  const id = useId()
  const agents = useQuery({
    queryKey: ['agents', project_id],
    // Loaded when it is needed: the reader of the manifest weighs more than the rest of the dashboard.
    queryFn: async () => (await import('./declared-agents.ts')).declaredAgents(client, project_id),
  })
  const found = agents.data
  return (
    <>
      <label htmlFor={id}>Agent</label>
      {found ? (
        <select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">
            {found.default_agent === null ? 'default' : `${found.default_agent} (default)`}
          </option>
          {found.names
            .filter((name) => name !== found.default_agent)
            .map((name) => (
              <option key={name}>{name}</option>
            ))}
        </select>
      ) : (
        <input
          id={id}
          value={value}
          placeholder="the default one"
          onChange={({ target }) => onChange(target.value)}
        />
      )}
      <Failure error={agents.error} />
    </>
  )
}
