import { useQuery } from '@tanstack/react-query'
import { Failure } from '../../../parts/failure.tsx'
import { Field, Select } from '../../../parts/field.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'
import { declaredAgents, type DeclaredAgents } from './declared-agents.ts'

interface Props {
  readonly project_id: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The choice among the manifest's agents; typed where they cannot be read. */
export function AgentField({ project_id, value, onChange }: Props) {
  const client = useClient()
  const { data, error } = useQuery({
    queryKey: ['agents', project_id],
    queryFn: () => declaredAgents(client, project_id),
  })
  if (error || data === null)
    return (
      <div>
        <Field label="Agent" value={value} placeholder="the default one" onChange={onChange} />
        <Failure error={error} />
      </div>
    )
  const others = data?.names.filter((name) => name !== data.default_agent) ?? []
  return (
    <Select
      label="Agent"
      value={value}
      onChange={onChange}
      options={[['', defaultOption(data)], ...others.map((name) => [name, name] as const)]}
    />
  )
}

function defaultOption(agents: DeclaredAgents | undefined): string {
  if (agents === undefined) return 'reading the manifest …'
  return agents.default_agent === null ? 'default' : `${agents.default_agent} (default)`
}
