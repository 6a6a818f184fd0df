import { Loaded } from '../../../parts/loaded.tsx'
import { Page } from '../../../parts/page.tsx'
import { useProject } from '../../../frame/use-project.ts'
import { newSessionRoute } from '../route.tsx'
import { NewSessionForm } from './new-session-form.tsx'

/** The beginning of a session: what the agent is to do, and how. */
export function NewSessionPage() {
  const { project_id } = newSessionRoute.useParams()
  const project = useProject(project_id)
  return (
    <Page title="New session" narrow up={{ to: `/projects/${project_id}/sessions`, label: 'Sessions' }}>
      <Loaded query={project}>{(found) => <NewSessionForm project={found} />}</Loaded>
    </Page>
  )
}
