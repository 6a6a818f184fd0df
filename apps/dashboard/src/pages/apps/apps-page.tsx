import { type AppRequests, isApiError, type ProjectApp } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { usePeople } from '../../frame/use-people.ts'
import { Empty } from '../../parts/empty.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { State } from '../../parts/state.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { dollars, isMoving, modeWords, shortSha } from './app-words.ts'
import { Requests, useDays } from './requests.tsx'
import { appsRoute } from './route.tsx'

/** The apps that the manifest declares, each with its address and what that shows. */
export function AppsPage() {
  const { project_id } = appsRoute.useParams()
  const { apps } = useClient().projects
  const query = useQuery({
    queryKey: ['apps', project_id],
    queryFn: () => apps.list(project_id),
    refetchInterval: ({ state }) => (state.data?.apps.some(isMoving) ? 1500 : 15_000),
    retry: (failures, error) => !isApiError(error) && failures < 3,
  })
  const off = isApiError(query.error) && query.error.code === 'feature_disabled'
  return (
    <Page title="Apps" narrow>
      {off ? (
        <Empty title="Apps are switched off">
          <p>
            The operator of the platform switches them on, for this account or for all:{' '}
            <code>svc admin features set apps=on</code>
          </p>
        </Empty>
      ) : (
        <Loaded query={query}>
          {({ apps: all, errors }) => (
            <>
              {errors.map(({ path, message }) => (
                <p key={path} className="notice bad break-words">
                  <code>{path}</code> in svc.yaml: {message}
                </p>
              ))}
              {all.length === 0 ? (
                <Empty title="No apps yet">
                  <p>
                    Declare one under <code>apps</code> in <code>svc.yaml</code>, such as a{' '}
                    <code>static</code> one with the <code>path</code> of its folder, and merge that.
                  </p>
                </Empty>
              ) : (
                <AppList project_id={project_id} apps={all} />
              )}
            </>
          )}
        </Loaded>
      )}
    </Page>
  )
}

function AppList({
  project_id,
  apps,
}: {
  readonly project_id: string
  readonly apps: readonly ProjectApp[]
}) {
  const days = useDays(project_id)
  return (
    <ul className="grid gap-2">
      {apps.map((app) => (
        <AppRow key={app.app_id} app={app} day={days.get(app.name)} />
      ))}
    </ul>
  )
}

interface RowProps {
  readonly app: ProjectApp
  /** Its requests of the last 24 hours, once they are read. */
  readonly day: AppRequests | undefined
}

function AppRow({ app, day }: RowProps) {
  const { project_id, account_id, name, state, url, access_mode, budget } = app
  const { current_release: current, latest_release: latest } = app
  const failed = latest?.failure
  return (
    <li className="card grid gap-1 p-3">
      <p className="flex flex-wrap items-center gap-2">
        <Link to="/projects/$project_id/apps/$app" params={{ project_id, app: name }}>
          {name}
        </Link>
        <State of={state} />
        {isMoving(app) && latest !== null && (
          <State of="working" word={`release ${latest.number} ${latest.status}`} />
        )}
      </p>
      {url !== null && (state === 'serving' || state === 'asleep') && (
        <p className="break-all">
          <a href={url} target="_blank" rel="noreferrer">
            {url}
          </a>
        </p>
      )}
      <p className="faint">
        {current === null ? 'no release yet' : <Shows release={current} account_id={account_id} />} ·{' '}
        {modeWords[access_mode].toLowerCase()}
        {budget !== null &&
          ` · ${dollars(budget.spent_micros)} of ${dollars(budget.cap_micros)} spent this month`}
      </p>
      {current !== null && day !== undefined && <Requests day={day} />}
      {failed && (
        <p className="notice bad break-words">
          Release {latest.number} failed: {failed.message}
        </p>
      )}
    </li>
  )
}

function Shows({
  release,
  account_id,
}: {
  readonly release: NonNullable<ProjectApp['current_release']>
  readonly account_id: string
}) {
  const people = usePeople(account_id)
  return (
    <>
      shows release {release.number} of <code>{shortSha(release.commit_sha)}</code>
      {release.created_by !== null && ` by ${people(release.created_by)}`}, <Moment at={release.created_at} />
    </>
  )
}
