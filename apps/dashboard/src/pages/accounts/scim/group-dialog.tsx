import type { DirectoryGroup, GroupRolesInput } from '@svc/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Modal } from '../../../parts/dialog.tsx'
import { Failure } from '../../../parts/failure.tsx'
import { Select } from '../../../parts/field.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { toast } from '../../../parts/toast.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'

interface Props {
  readonly account_id: string
  readonly group: DirectoryGroup
  readonly onClose: () => void
  readonly onSaved: () => Promise<unknown>
}

type ProjectRole = NonNullable<GroupRolesInput['projects']>[number]['role']

const accountRoles = ['member', 'admin'] as const
const projectRoles = ['viewer', 'member', 'editor', 'manager'] as const satisfies readonly ProjectRole[]

/** The roles that a group of the directory gives to the people in it. */
export function GroupDialog({ account_id, group, onClose, onSaved }: Props) {
  const client = useClient()
  const projects = useQuery({ queryKey: ['projects'], queryFn: () => client.projects.list() })
  const [inAccount, setInAccount] = useState(group.account_role)
  const [given, setGiven] = useState<ReadonlyMap<string, ProjectRole>>(
    new Map(group.projects.map(({ project_id, role }) => [project_id, role])),
  )
  const save = useMutation({
    mutationFn: () =>
      client.accounts.directory.setGroupRoles(account_id, group.group_id, {
        account_role: inAccount,
        projects: [...given].map(([project_id, role]) => ({ project_id, role })),
      }),
    onSuccess: async () => {
      toast(`Saved the roles of ${group.display_name}.`)
      onClose()
      await onSaved()
    },
  })
  const give = (project_id: string, role: string) =>
    setGiven((before) => {
      const next = new Map(before)
      const known = projectRoles.find((one) => one === role)
      if (known === undefined) next.delete(project_id)
      else next.set(project_id, known)
      return next
    })
  return (
    <Modal title={`Roles of ${group.display_name}`} open onOpenChange={(open) => open || onClose()}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Select
          label="In the account"
          value={inAccount}
          onChange={(next) => setInAccount(accountRoles.find((one) => one === next) ?? 'member')}
          options={accountRoles.map((one) => [one, one] as const)}
        />
        <Loaded query={projects}>
          {(found) =>
            found
              .filter((project) => project.account_id === account_id)
              .map(({ project_id, name }) => (
                <Select
                  key={project_id}
                  label={name}
                  value={given.get(project_id) ?? ''}
                  onChange={(role) => give(project_id, role)}
                  options={[['', 'no role'], ...projectRoles.map((one) => [one, one] as const)]}
                />
              ))
          }
        </Loaded>
        <Failure error={save.error} />
        <p>
          <button type="submit" className="button primary" disabled={save.isPending}>
            Save
          </button>
        </p>
      </form>
    </Modal>
  )
}
