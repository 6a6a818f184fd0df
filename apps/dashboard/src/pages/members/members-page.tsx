import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRefusal } from '../../frame/use-can.ts'
import { useProject } from '../../frame/use-project.ts'
import { Failure } from '../../parts/failure.tsx'
import { Select } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { RecordTable } from '../../records/record-table.tsx'
import { RemoveButton } from '../../records/remove-button.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { membersRoute } from './route.tsx'

const roles = ['manager', 'editor', 'member', 'viewer'] as const

/** People who work in the project, with their roles. */
export function MembersPage() {
  const { project_id } = membersRoute.useParams()
  const client = useClient()
  const queries = useQueryClient()
  const project = useProject(project_id)
  const queryKey = ['project-members', project_id]
  const members = useQuery({ queryKey, queryFn: () => client.projects.members.list(project_id) })
  const refusal = useRefusal('project.members.manage')
  const reread = () => queries.invalidateQueries({ queryKey })
  const set = useMutation({
    mutationFn: ({ user_id, role }: { readonly user_id: string; readonly role: (typeof roles)[number] }) =>
      client.projects.members.set(project_id, user_id, { role }),
    onSettled: reread,
  })
  return (
    <Page title="Members" narrow>
      {project.data !== undefined && (
        <p className="hint">
          People are invited to the account, and given a role here:{' '}
          <Link to="/accounts/$account_id/members" params={{ account_id: project.data.account_id }}>
            members of the account
          </Link>
        </p>
      )}
      {refusal !== null && <p className="hint">{refusal}</p>}
      <Failure error={set.error} />
      <Loaded query={members}>
        {(found) => (
          <RecordTable
            caption="Members of the project"
            empty="Only the owners and admins of the account work here"
            rows={found}
            keyOf={({ user_id }) => user_id}
            nameOf={({ name, email }) => (name === '' ? (email ?? '') : name)}
            noteOf={({ name, email }) => (name === '' ? null : email)}
            columns={[
              { name: 'Kind', cell: ({ type }) => (type === 'user' ? 'person' : 'service account') },
              {
                name: 'Role',
                cell: ({ user_id, name, email, role }) => (
                  <Select
                    inline
                    disabled={refusal !== null}
                    label={`Role of ${name === '' ? email : name}`}
                    value={role}
                    onChange={(next) => {
                      const chosen = roles.find((one) => one === next)
                      if (chosen !== undefined) set.mutate({ user_id, role: chosen })
                    }}
                    options={roles.map((one) => [one, one] as const)}
                  />
                ),
              },
            ]}
            actions={({ user_id, name, email }) => (
              <RemoveButton
                verb="Remove"
                needs="project.members.manage"
                of={name === '' ? (email ?? '') : name}
                said={`${name === '' ? email : name} has no role here any more.`}
                run={() => client.projects.members.remove(project_id, user_id)}
                onDone={reread}
              >
                Their credentials on this project end at once. In the account they stay.
              </RemoveButton>
            )}
          />
        )}
      </Loaded>
    </Page>
  )
}
