import type { AskAnswer, InboxItem } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Failure } from '../parts/failure.tsx'
import { Moment } from '../parts/moment.tsx'
import { toast } from '../parts/toast.tsx'
import { useClient } from '../sign-in/signed-in.tsx'
import { KindIcon } from './kind-icon.tsx'

type Verdict = 'done' | 'snoozed' | 'replay' | 'approve' | AskAnswer

const dayMs = 86_400_000

/** One thing that waits, with what can be done about it here. */
export function InboxRow({ item }: { readonly item: InboxItem }) {
  const { inbox, projects } = useClient()
  const queries = useQueryClient()
  const { item_id, version, kind, path, title, phrase, project_name, at, expires_at, verdicts } = item
  const act = useMutation({
    mutationFn: async (what: Verdict) => {
      if (what === 'replay') {
        await projects.triggers.replay(item.project_id ?? '', item.slug ?? '', item.fire_id ?? '')
        return
      }
      if (what === 'approve') {
        const [result] = await inbox.act([{ item_id, version, verdict: 'approve' }])
        if (result?.ok !== true)
          throw new Error(result?.message ?? 'It was not approved; open it and look again.')
        return
      }
      if (typeof what === 'object') {
        const { project_id, session_id, request_id } = item
        await projects.sessions.asks.answer(project_id ?? '', session_id ?? '', request_id ?? '', what)
        return
      }
      const until = what === 'snoozed' ? { until: new Date(Date.now() + dayMs).toISOString() } : {}
      await inbox.mark(item_id, { version, state: what, ...until })
    },
    onSuccess: (_, what) => {
      if (what === 'replay') toast('Fired once more.')
      if (what === 'approve') toast('Approved.')
      if (what === 'snoozed') toast('Back in a day, or earlier once there is something new.')
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['inbox'] }),
  })
  const button = (label: string, what: Verdict, look = '') => (
    <button
      type="button"
      className={`button small ${look}`}
      disabled={act.isPending}
      onClick={() => act.mutate(what)}
    >
      {label}
    </button>
  )
  return (
    <li className="row flex-wrap" aria-labelledby={`${item_id}-title`}>
      <KindIcon kind={kind} />
      <div className="min-w-0 flex-1">
        <Link to={path} id={`${item_id}-title`} className="row-link" dir="auto">
          {title}
        </Link>
        <p className="hint break-words" dir="auto">
          {phrase}
        </p>
        <p className="faint" dir="auto">
          {project_name} · <Moment at={at} />
          {expires_at !== null && (
            <>
              {' '}
              · ends <Moment at={expires_at} />
            </>
          )}
        </p>
      </div>
      <div className="above flex justify-end gap-2 max-md:w-full">
        {kind === 'permission' && button('Refuse', { reply: 'reject' })}
        {kind === 'permission' && button('Allow once', { reply: 'once' }, 'primary')}
        {kind === 'question' && (
          <Link to={path} className="button small">
            Answer
          </Link>
        )}
        {(kind === 'approval' || kind === 'unknown_call') && (
          <Link to={path} className="button small">
            {kind === 'approval' ? 'Decide' : 'Settle'}
          </Link>
        )}
        {kind === 'connection' && (
          <Link to={path} className="button small">
            Connect
          </Link>
        )}
        {kind === 'notice' && (
          <Link to={path} className="button small">
            Look
          </Link>
        )}
        {kind === 'review' && (
          <Link to={path} className="button small">
            Review
          </Link>
        )}
        {verdicts.includes('approve') && button('Approve', 'approve', 'primary')}
        {kind === 'trigger_failure' && item.fire_id !== null && button('Replay', 'replay')}
        {verdicts.includes('snooze') && button('Snooze', 'snoozed')}
        {verdicts.includes('dismiss') && button('Done', 'done')}
      </div>
      <Failure error={act.error} />
    </li>
  )
}
