import { counted } from '@svc/facts'
import type { AppRelease, ProjectApp } from '@svc/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { usePeople } from '../../frame/use-people.ts'
import { ActionTable } from '../../parts/action-table.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { GuardedButton } from '../../parts/guarded-button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { State } from '../../parts/state.tsx'
import { toast } from '../../parts/toast.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { AccessForm } from './access-form.tsx'
import { isMoving, shortSha } from './app-words.ts'
import { ReleaseLog } from './release-log.tsx'
import { Running } from './running.tsx'
import { appRoute } from './route.tsx'
import { Variables } from './variables.tsx'

/** One app: its address, what that shows, and the ways to change it. */
export function AppPage() {
  const { project_id, app: name } = appRoute.useParams()
  const { apps } = useClient().projects
  const query = useQuery({
    queryKey: ['app', project_id, name],
    queryFn: () => apps.get(project_id, name),
    refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? 1500 : 15_000),
  })
  return (
    <Page
      title={name}
      beside={query.data && <State of={query.data.state} />}
      up={{ to: `/projects/${project_id}/apps`, label: 'Apps' }}
      actions={query.data && <Actions app={query.data} />}
    >
      <Loaded query={query}>
        {(app) => (
          <div className="grid gap-6">
            <Facts app={app} />
            {app.latest_release !== null && (
              <ReleaseLog key={app.latest_release.number} app={app} release={app.latest_release} />
            )}
            {app.type !== 'static' && <Running app={app} />}
            <Releases app={app} />
            <AccessForm key={app.policy_revision} app={app} />
            <Variables project_id={project_id} app={name} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function Facts({ app }: { readonly app: ProjectApp }) {
  const people = usePeople(app.account_id)
  const { url, type, state, current_release: current } = app
  return (
    <dl className="facts">
      <dt>Address</dt>
      <dd className="break-all">
        {url === null ? (
          'none: the operator has set no SVC_APPS_URL'
        ) : (
          <a href={url} target="_blank" rel="noreferrer">
            {url}
          </a>
        )}
      </dd>
      <dt>Shows</dt>
      <dd>
        {current === null || state === 'undeclared' ? (
          'nothing yet'
        ) : (
          <>
            release {current.number} of <code>{shortSha(current.commit_sha)}</code>
            {current.created_by !== null && ` by ${people(current.created_by)}`},{' '}
            <Moment at={current.created_at} />
          </>
        )}
      </dd>
      <dt>Type</dt>
      <dd>{type}</dd>
      {state === 'undeclared' && (
        <>
          <dt>Declared</dt>
          <dd>no: the default branch does not declare it any more. It comes back with its entry.</dd>
        </>
      )}
    </dl>
  )
}

function useRefresh({ project_id, name }: ProjectApp) {
  const queries = useQueryClient()
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['app', project_id, name] }),
      queries.invalidateQueries({ queryKey: ['apps', project_id] }),
      queries.invalidateQueries({ queryKey: ['app-releases', project_id, name] }),
    ])
}

function Actions({ app }: { readonly app: ProjectApp }) {
  const { project_id, name, desired, declared } = app
  const { apps } = useClient().projects
  const refresh = useRefresh(app)
  const [asked, setAsked] = useState(false)
  const release = useMutation({
    mutationFn: () => Promise.resolve(apps.release(project_id, name)),
    onSuccess: async () => {
      toast('A release of the default branch is on its way.')
      await refresh()
    },
  })
  const stopped = desired === 'stopped'
  const turn = useMutation({
    mutationFn: () => (stopped ? apps.start(project_id, name) : apps.stop(project_id, name)),
    onSuccess: async () => {
      setAsked(false)
      await refresh()
    },
  })
  return (
    <>
      <GuardedButton
        needs="project.app.write"
        className="button"
        disabled={turn.isPending}
        onClick={() => (stopped ? turn.mutate() : setAsked(true))}
      >
        {stopped ? 'Start' : 'Stop'}
      </GuardedButton>
      {declared && (
        <GuardedButton
          needs="project.app.deploy"
          className="button primary"
          disabled={release.isPending || isMoving(app)}
          onClick={() => release.mutate()}
        >
          Release again
        </GuardedButton>
      )}
      <Failure error={release.error ?? (asked ? null : turn.error)} />
      <Confirm
        title={`Stop ${name}?`}
        verb="Stop it"
        open={asked}
        onOpenChange={setAsked}
        busy={turn.isPending}
        error={turn.error}
        onConfirm={() => turn.mutate()}
      >
        <p>Its visitors are answered that it is stopped, until it is started again.</p>
      </Confirm>
    </>
  )
}

function Releases({ app }: { readonly app: ProjectApp }) {
  const { project_id, name, account_id, current_release: current } = app
  const { apps } = useClient().projects
  const people = usePeople(account_id)
  const refresh = useRefresh(app)
  const shown = current?.number ?? 0
  const mayShow = ({ status, channel }: AppRelease) =>
    status === 'ready' && channel === 'production' && current !== null
  const show = {
    needs: 'project.app.deploy' as const,
    asks: ({ number, commit_sha }: AppRelease) =>
      `Show release ${number} (commit ${shortSha(commit_sha)}) in place of release ${shown} (commit ${shortSha(current?.commit_sha ?? '')})?`,
    run: async ({ number }: AppRelease) => {
      await apps.rollback(project_id, name, { number, expected_current: shown })
      await refresh()
    },
    done: 'On its way.',
  }
  return (
    <section aria-labelledby="releases" className="grid gap-2">
      <h2 id="releases">Releases</h2>
      <ActionTable<AppRelease>
        caption="Releases"
        empty="No release yet"
        queryKey={['app-releases', project_id, name]}
        filter={`${current?.number ?? 0} ${app.latest_release?.number ?? 0} ${app.latest_release?.status ?? ''}`}
        read={(cursor) =>
          apps.releases(project_id, name, { limit: 20, ...(cursor === undefined ? {} : { cursor }) })
        }
        keyOf={({ release_id }) => release_id}
        columns={[
          {
            name: 'Release',
            cell: ({ number, channel }) => (channel === 'preview' ? `${number} (preview)` : number),
          },
          {
            name: 'State',
            cell: ({ status, current }) => (
              <State of={current ? 'serving' : status} {...(current && { word: 'shown' })} />
            ),
          },
          { name: 'Commit', cell: ({ commit_sha }) => <code>{shortSha(commit_sha)}</code> },
          { name: 'By', cell: ({ created_by }) => people(created_by) },
          { name: 'When', cell: ({ created_at }) => <Moment at={created_at} /> },
          {
            name: 'Note',
            cell: ({ failure, superseded_by, artifact }) =>
              failure?.message ??
              (superseded_by === null
                ? artifact === null
                  ? ''
                  : counted(artifact.files, 'file')
                : `release ${superseded_by} was ready first`),
          },
        ]}
        actions={[
          { label: 'Roll back to this', when: (one) => mayShow(one) && one.number < shown, ...show },
          { label: 'Show this', when: (one) => mayShow(one) && one.number > shown, ...show },
          {
            label: 'Cancel',
            needs: 'project.app.deploy',
            when: ({ finished_at }) => finished_at === null,
            run: ({ number }) => apps.cancel(project_id, name, number),
            done: 'Cancelled.',
          },
        ]}
      />
    </section>
  )
}
