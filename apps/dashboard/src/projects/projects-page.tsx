import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Badge } from '../parts/badge.tsx'
import { Empty } from '../parts/empty.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { Table } from '../parts/table.tsx'
import { useClient } from '../sign-in/signed-in.tsx'

export function ProjectsPage() {
  const client = useClient()
  const query = useQuery({ queryKey: ['projects'], queryFn: () => client.projects.list() })
  return (
    <>
      <PageTitle text="Projects" />
      <Loaded query={query}>
        {(projects) =>
          projects.length === 0 ? (
            <Empty title="No project yet">
              <p>
                Make one of a folder with <code>svc init</code>.
              </p>
            </Empty>
          ) : (
            <Table caption="Projects" columns={['Name', 'Default branch', 'Status', 'Your role', 'Created']}>
              {projects.map((project) => (
                <tr key={project.project_id}>
                  <th scope="row">
                    <Link href={`/projects/${project.project_id}/sessions`}>{project.name}</Link>
                  </th>
                  <td>
                    <code>{project.default_branch}</code>
                  </td>
                  <td>
                    <Badge status={project.status} />
                  </td>
                  <td>{project.project_role}</td>
                  <td>
                    <Moment at={project.created_at} />
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
    </>
  )
}
