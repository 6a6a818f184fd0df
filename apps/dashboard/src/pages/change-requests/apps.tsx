import type { ChangeRequest, ChangeRequestApp, Feature } from '@svc/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { Failure } from '../../parts/failure.tsx'
import { GuardedButton } from '../../parts/guarded-button.tsx'
import { State } from '../../parts/state.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'

const effects = {
  create: 'is new, and gets an address',
  release: 'is released again',
  unchanged: 'stays as it is',
  remove: 'is taken away',
} as const

/** The apps that merging deploys, with a preview of each. Nothing where the project has no apps. */
export function DeployedApps({ cr }: { readonly cr: ChangeRequest }) {
  const { project_id, cr_id, status } = cr
  const { apps, features: all } = useClient().projects
  const heading = useId()
  const features = useQuery({
    queryKey: ['features', project_id],
    queryFn: () => all.list(project_id),
    enabled: status === 'open',
    staleTime: 30_000,
  })
  const query = useQuery({
    queryKey: ['change-request', project_id, 'apps', cr_id],
    queryFn: async () => (await apps.ofChangeRequest(project_id, cr_id)).apps,
    enabled: status === 'open' && features.data?.some(deploys) === true,
    refetchInterval: ({ state }) => (state.data?.some(isMoving) ? 1500 : false),
  })
  const list = query.data ?? []
  if (status !== 'open' || (list.length === 0 && query.error === null)) return null
  return (
    <section aria-labelledby={heading} className="grid gap-2">
      <h2 id={heading}>What merging deploys</h2>
      <Failure error={query.error} />
      <ul className="grid gap-2">
        {list.map((app) => (
          <AppOfChange key={app.name} app={app} cr={cr} />
        ))}
      </ul>
    </section>
  )
}

/** The feature without which a project deploys nothing, and each question about apps is refused. */
const deploys = ({ feature, enabled }: Feature): boolean => feature === 'apps' && enabled

function isMoving({ preview }: ChangeRequestApp): boolean {
  return preview?.release != null && preview.release.finished_at === null
}

function AppOfChange({ app, cr }: { readonly app: ChangeRequestApp; readonly cr: ChangeRequest }) {
  const { name, action, deployable, issues, preview } = app
  const { project_id, cr_id } = cr
  const { apps } = useClient().projects
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: ['change-request', project_id, 'apps', cr_id] })
  const make = useMutation({
    mutationFn: () => Promise.resolve(apps.release(project_id, name, { cr_id })),
    onSettled: refresh,
  })
  const remove = useMutation({
    mutationFn: () => apps.removePreview(project_id, cr_id, name),
    onSettled: refresh,
  })
  const release = preview?.release ?? null
  const ready = release?.status === 'ready'
  return (
    <li className="card grid gap-1 p-3">
      <p className="flex flex-wrap items-center gap-2">
        <strong>{name}</strong> <span className="faint">{effects[action]}</span>
        {release !== null && !ready && (
          <State
            of={release.finished_at === null ? 'working' : release.status}
            word={`preview ${release.status}`}
          />
        )}
      </p>
      {issues.map(({ path, message }) => (
        <p key={path} className="break-words">
          <code>{path}</code>: {message}
        </p>
      ))}
      {release?.failure && <p className="break-words">{release.failure.message}</p>}
      <p className="flex flex-wrap items-center gap-2">
        {ready && preview?.url && (
          <a className="button small" href={preview.url} target="_blank" rel="noreferrer">
            Open the preview
          </a>
        )}
        {preview === null && deployable && action !== 'remove' && (
          <GuardedButton
            needs="project.app.deploy"
            className="button small"
            disabled={make.isPending}
            onClick={() => make.mutate()}
          >
            Make a preview
          </GuardedButton>
        )}
        {preview !== null && (
          <GuardedButton
            needs="project.app.deploy"
            className="button small"
            disabled={remove.isPending}
            onClick={() => remove.mutate()}
          >
            Remove the preview
          </GuardedButton>
        )}
      </p>
      <Failure error={make.error ?? remove.error} />
    </li>
  )
}
