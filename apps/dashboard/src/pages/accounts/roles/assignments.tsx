import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Loaded } from '../../../parts/loaded.tsx'
import { RecordTable } from '../../../records/record-table.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'

/** The roles that people and service accounts have on the projects of the account. */
export function Assignments({ account_id }: { readonly account_id: string }) {
  const client = useClient()
  const list = useQuery({
    queryKey: ['account', account_id, 'assignments'],
    queryFn: async () => {
      const [assignments, projects, roles] = await Promise.all([
        client.accounts.roles.assignments(account_id),
        client.projects.list(),
        client.accounts.roles.list(account_id),
      ])
      const projectNames = new Map(projects.map(({ project_id, name }) => [project_id, name]))
      const roleNames = new Map(roles.map(({ role_id, name }) => [role_id, name]))
      return assignments.map((one) => ({
        ...one,
        project_name: projectNames.get(one.project_id) ?? one.project_id,
        role_name: one.role_id === null ? one.role : (roleNames.get(one.role_id) ?? one.role),
      }))
    },
  })
  return (
    <section className="grid gap-2">
      <h2>Who has which</h2>
      <p className="hint">Owners and admins of the account are managers of every project without a row.</p>
      <Loaded query={list}>
        {(found) => (
          <RecordTable
            caption="Assignments"
            empty="No role is given on a project yet"
            rows={found}
            keyOf={({ project_id, user_id }) => `${project_id}.${user_id}`}
            nameOf={({ name, email }) => (name === '' ? (email ?? '') : name)}
            noteOf={({ email, type }) => (type === 'user' ? email : 'service account')}
            columns={[
              {
                name: 'Project',
                cell: ({ project_id, project_name }) => (
                  <Link to="/projects/$project_id/members" params={{ project_id }}>
                    {project_name}
                  </Link>
                ),
              },
              { name: 'Role', cell: ({ role_name }) => role_name },
            ]}
          />
        )}
      </Loaded>
    </section>
  )
}
