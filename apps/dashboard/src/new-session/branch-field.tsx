import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useClient } from '../sign-in/signed-in.tsx'

interface Props {
  readonly project_id: string
  readonly default_branch: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Branches are offered; without the list a name can be typed all the same. */
export function BranchField({ project_id, default_branch, value, onChange }: Props) {
  const { branches } = useClient().projects
  const id = useId()
  const known = useQuery({
    queryKey: ['branches', project_id],
    queryFn: () => branches.list(project_id),
  })
  return (
    <>
      <label htmlFor={id}>Base branch</label>
      <input
        id={id}
        list={`${id}-known`}
        value={value}
        placeholder={default_branch}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={`${id}-known`}>
        {known.data?.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}
