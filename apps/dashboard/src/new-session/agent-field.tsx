import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Failure } from '../parts/failure.tsx'
import { useClient } from '../sign-in/signed-in.tsx'
import type { DeclaredAgents } from './declared-agents.ts'

interface Props {
  readonly project_id: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The choice among the manifest's agents; typed where they cannot be read. */
export function AgentField({ project_id, value, onChange }: Props) {
  const client = useClient()
  const id = useId()
  const { data, error, isPending } = useQuery({
    queryKey: ['agents', project_id],
    // Loaded when it is needed: the reader of the manifest weighs more than the rest of the dashboard.
    queryFn: async () => (await import('./declared-agents.ts')).declaredAgents(client, project_id),
  })
  return (
    <>
      <label htmlFor={id}>Agent</label>
      {error || data === null ? (
        <input
          id={id}
          value={value}
          placeholder="the default one"
          onChange={({ target }) => onChange(target.value)}
        />
      ) : (
        <select id={id} value={value} disabled={isPending} onChange={({ target }) => onChange(target.value)}>
          <option value="">{defaultOption(data)}</option>
          {data?.names
            .filter((name) => name !== data.default_agent)
            .map((name) => (
              <option key={name}>{name}</option>
            ))}
        </select>
      )}
      <Failure error={error} />
    </>
  )
}

function defaultOption(agents: DeclaredAgents | undefined): string {
  if (agents === undefined) return 'reading the manifest …'
  return agents.default_agent === null ? 'default' : `${agents.default_agent} (default)`
}
