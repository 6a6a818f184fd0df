import { useQuery } from '@tanstack/react-query'
import { Select } from '../../parts/field.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'

interface Props {
  readonly project_id: string
  /** Nothing for the default branch. */
  readonly value: string | undefined
  readonly onChange: (ref: string | undefined) => void
}

/** The branch that is looked at. */
export function RefChoice({ project_id, value, onChange }: Props) {
  const { branches } = useClient().projects
  const { data = [] } = useQuery({
    queryKey: ['branches', project_id],
    queryFn: () => branches.list(project_id),
  })
  const own = data.find(({ is_default }) => is_default)?.name
  const others = data.filter(({ is_default }) => !is_default).map(({ name }) => [name, name] as const)
  const unknown = value !== undefined && !data.some(({ name }) => name === value)
  return (
    <div className="flex max-w-80">
      <Select
        inline
        label="Branch"
        value={value ?? ''}
        onChange={(ref) => onChange(ref === '' ? undefined : ref)}
        options={[['', own ?? 'default branch'], ...others, ...(unknown ? [[value, value] as const] : [])]}
      />
    </div>
  )
}
