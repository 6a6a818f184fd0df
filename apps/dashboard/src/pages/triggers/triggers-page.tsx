import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { GuardedButton } from '../../parts/guarded-button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { State } from '../../parts/state.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { FireNow } from './fire-now.tsx'
import { triggersRoute } from './route.tsx'
import { scheduleText } from './schedule-text.ts'
import { EnableButton } from './enable-button.tsx'

/** Triggers of a project, with what became of each last. */
export function TriggersPage() {
  const { project_id } = triggersRoute.useParams()
  const { triggers } = useClient().projects
  const queries = useQueryClient()
  const navigate = useNavigate()
  const reread = () => queries.invalidateQueries({ queryKey: ['triggers', project_id] })
  const list = useQuery({ queryKey: ['triggers', project_id], queryFn: () => triggers.list(project_id) })
  const pause = useMutation({
    mutationFn: (paused: boolean) => triggers.setPaused(project_id, paused),
    onSettled: reread,
  })
  const paused = list.data?.triggers_paused === true
  return (
    <Page
      title="Triggers"
      actions={
        <>
          <GuardedButton
            needs="project.trigger.update"
            className="button"
            disabled={pause.isPending || list.data === undefined}
            onClick={() => pause.mutate(!paused)}
          >
            {paused ? 'Resume all' : 'Pause all'}
          </GuardedButton>
          <GuardedButton
            needs="project.trigger.create"
            className="button primary"
            onClick={() =>
              void navigate({ to: '/projects/$project_id/triggers/new', params: { project_id } })
            }
          >
            <Plus aria-hidden />
            New trigger
          </GuardedButton>
        </>
      }
    >
      <Failure error={pause.error} />
      <Loaded query={list}>
        {({ triggers: found, errors }) => (
          <>
            {paused && (
              <p className="notice warn" role="status">
                Paused: nothing fires by itself. Firing by hand works.
              </p>
            )}
            {errors.length > 0 && (
              <section className="notice bad block!">
                <h2>Entries that cannot be used</h2>
                <ul className="list-disc pl-5">
                  {errors.map(({ slug, path, error }) => (
                    <li key={`${slug}${path}${error}`}>
                      {slug !== null && <strong>{slug} </strong>}
                      <code>{path}</code> {error}
                    </li>
                  ))}
                </ul>
              </section>
            )}
            {found.length === 0 ? (
              <Empty title="No trigger yet">
                <p className="hint">
                  A trigger starts sessions by a schedule, a webhook or the output of a program. It stands in
                  svc.yaml.
                </p>
              </Empty>
            ) : (
              <ul className="rows">
                {found.map((trigger) => (
                  <li key={trigger.slug} className="row flex-wrap">
                    <div className="min-w-56 flex-1">
                      <Link
                        to="/projects/$project_id/triggers/$slug"
                        params={{ project_id, slug: trigger.slug }}
                        className="row-link"
                        dir="auto"
                      >
                        {trigger.name}
                      </Link>{' '}
                      {trigger.name !== trigger.slug && <span className="faint">{trigger.slug}</span>}
                      <p className="faint">
                        {trigger.type} · {scheduleText(trigger)}
                        {trigger.next_fire_at !== null && (
                          <>
                            {' '}
                            · next <Moment at={trigger.next_fire_at} />
                          </>
                        )}
                      </p>
                    </div>
                    <span className="faint flex items-center gap-2">
                      {trigger.last_status === null ? (
                        'never fired'
                      ) : (
                        <>
                          <State of={trigger.last_status} />
                          <Moment at={trigger.last_attempt_at ?? trigger.last_fired_at} />
                        </>
                      )}
                    </span>
                    {!trigger.enabled && <span className="chip">disabled</span>}
                    <span className="above flex gap-2">
                      <FireNow project_id={project_id} slug={trigger.slug} onFired={reread} />
                      <EnableButton project_id={project_id} trigger={trigger} />
                    </span>
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}
