import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useProject } from '../../frame/use-project.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Select } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { membersRoute } from './route.tsx'

const roles = ['manager', 'editor', 'member', 'viewer'] as const

/** People who work in the project, with their roles. */
export function MembersPage() {
  const { project_id } = membersRoute.useParams()
  const client = useClient()
  const queries = useQueryClient()
  const project = useProject(project_id)
  const members = useQuery({
    queryKey: ['project-members', project_id],
    queryFn: () => client.projects.members.list(project_id),
  })
  const set = useMutation({
    mutationFn: ({ user_id, role }: { readonly user_id: string; readonly role: (typeof roles)[number] }) =>
      client.projects.members.set(project_id, user_id, { role }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['project-members', project_id] }),
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
      <Failure error={set.error} />
      <Loaded query={members}>
        {(found) => (
          <DataTable caption="Members of the project" columns={['Name', 'Kind', 'Role']}>
            {found.map(({ user_id, name, email, type, role }) => (
              <tr key={user_id}>
                <th scope="row" dir="auto">
                  {name === '' ? email : name} {name !== '' && <span className="faint">{email}</span>}
                </th>
                <td>{type === 'user' ? 'person' : 'service account'}</td>
                <td>
                  <Select
                    inline
                    label={`Role of ${name === '' ? email : name}`}
                    value={role}
                    onChange={(next) => {
                      const chosen = roles.find((one) => one === next)
                      if (chosen !== undefined) set.mutate({ user_id, role: chosen })
                    }}
                    options={roles.map((one) => [one, one] as const)}
                  />
                </td>
              </tr>
            ))}
          </DataTable>
        )}
      </Loaded>
    </Page>
  )
}
