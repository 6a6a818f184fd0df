import { useQuery } from '@tanstack/react-query'
import { Field, Select } from '../../parts/field.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { declaredAgents } from '../sessions/new/declared-agents.ts'

interface Props {
  readonly project_id: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** The choice of none, which is empty. */
  readonly none: string
  readonly problem?: string | undefined
}

/** The choice of an agent of the manifest or of none; typed where the manifest cannot be read. */
export function AgentChoice({ project_id, value, onChange, none, problem }: Props) {
  const client = useClient()
  const { data, isPending } = useQuery({
    queryKey: ['agents', project_id],
    queryFn: () => declaredAgents(client, project_id),
  })
  if (!isPending && data == null)
    return <Field label="Agent" value={value} placeholder={none} onChange={onChange} problem={problem} />
  // One that was chosen and is declared no more can be seen, and kept.
  const names = [...new Set([...(data?.names ?? []), ...(value === '' ? [] : [value])])]
  return (
    <div className="grid gap-1">
      <Select
        label="Agent"
        value={value}
        onChange={onChange}
        options={[['', none], ...names.map((name) => [name, name] as const)]}
      />
      {problem !== undefined && (
        <p role="alert" className="tone-bad text-13">
          {problem}
        </p>
      )}
    </div>
  )
}
