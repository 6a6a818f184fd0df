import { useQuery } from '@tanstack/react-query'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import { ChangeRequestPage } from '../change-requests/change-request-page.tsx'
import { ChangeRequestsPage } from '../change-requests/change-requests-page.tsx'
import { Empty } from '../parts/empty.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { SessionPage } from '../sessions/session-page.tsx'
import { SessionsPage } from '../sessions/sessions-page.tsx'
import { useClient } from '../sign-in/signed-in.tsx'
import { TriggersPage } from '../triggers/triggers-page.tsx'

const sections = [
  ['/sessions', 'Sessions'],
  ['/triggers', 'Triggers'],
  ['/change-requests', 'Change requests'],
] as const

/** Addresses below are relative to the project. */
export function ProjectPage({ project_id }: { readonly project_id: string }) {
  const client = useClient()
  const query = useQuery({
    queryKey: ['project', project_id],
    queryFn: () => client.projects.get(project_id),
  })
  return (
    <Loaded query={query}>
      {(project) => (
        <>
          <p className="over">{project.name}</p>
          <nav aria-label={project.name} className="tabs">
            {sections.map(([path, name]) => (
              <Section key={path} path={path} name={name} />
            ))}
          </nav>
          <Switch>
            <Route path="/">
              <Redirect to="/sessions" replace />
            </Route>
            <Route path="/sessions">
              <SessionsPage project={project} />
            </Route>
            <Route path="/sessions/:session_id">
              {({ session_id }) => <SessionPage key={session_id} {...{ project_id, session_id }} />}
            </Route>
            <Route path="/triggers">
              <TriggersPage project_id={project_id} />
            </Route>
            <Route path="/change-requests">
              <ChangeRequestsPage project_id={project_id} />
            </Route>
            <Route path="/change-requests/:cr_id">
              {({ cr_id }) => <ChangeRequestPage key={cr_id} {...{ project_id, cr_id }} />}
            </Route>
            <Route>
              <Empty title="There is no such page">
                <Link href="/sessions">The sessions of {project.name}</Link>
              </Empty>
            </Route>
          </Switch>
        </>
      )}
    </Loaded>
  )
}

function Section({ path, name }: { readonly path: string; readonly name: string }) {
  const [here] = useLocation()
  return (
    <Link href={path} aria-current={here.startsWith(path) ? 'page' : undefined}>
      {name}
    </Link>
  )
}
