import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Field } from '../../../parts/field.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'

interface Props {
  readonly project_id: string
  readonly default_branch: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Branches are offered; without the list a name can be typed all the same. */
export function BranchField({ project_id, default_branch, value, onChange }: Props) {
  const { branches } = useClient().projects
  const known = useId()
  const { data } = useQuery({ queryKey: ['branches', project_id], queryFn: () => branches.list(project_id) })
  return (
    <>
      <Field
        label="Base branch"
        value={value}
        placeholder={default_branch}
        onChange={onChange}
        list={known}
      />
      <datalist id={known}>
        {data?.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}
