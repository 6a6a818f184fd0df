import type { Notification } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import {
  BellOff,
  CircleQuestionMark,
  CircleX,
  GitMerge,
  GitPullRequestArrow,
  GitPullRequestClosed,
  type LucideIcon,
  Wallet,
  Webhook,
} from 'lucide-react'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { MoreButton, pageOf, usePages } from '../../parts/pages.tsx'
import { Segments } from '../../parts/segments.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { notificationsRoute } from './route.tsx'

/** Notifications of the person, the newest first. */
export function NotificationsPage() {
  const { show = 'all' } = notificationsRoute.useSearch()
  const navigate = useNavigate({ from: notificationsRoute.fullPath })
  const { notifications } = useClient()
  const queries = useQueryClient()
  const pages = usePages<Notification>({
    key: ['notifications', 'list', show],
    read: async (cursor) => {
      const page = await notifications.list({
        ...pageOf(cursor),
        ...(show === 'unread' && { unread: 'true' as const }),
      })
      return { items: page.notifications, next_cursor: page.next_cursor }
    },
  })
  const readAll = useMutation({
    mutationFn: () => notifications.read({ all: true }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['notifications'] }),
  })
  return (
    <Page
      title="Notifications"
      narrow
      actions={
        <>
          <button
            type="button"
            className="button"
            disabled={readAll.isPending}
            onClick={() => readAll.mutate()}
          >
            Mark all as read
          </button>
          <Link to="/notifications/settings" className="button">
            Settings
          </Link>
        </>
      }
    >
      <div className="flex">
        <Segments
          label="Show"
          options={[
            ['all', 'All'],
            ['unread', 'Unread'],
          ]}
          value={show}
          onChange={(next) =>
            void navigate({ search: { show: next === 'all' ? undefined : next }, replace: true })
          }
        />
      </div>
      <Failure error={readAll.error} />
      <Loaded query={pages}>
        {({ pages: read }) => {
          const rows = read.flatMap(({ items }) => items)
          return rows.length === 0 ? (
            <Empty title={show === 'unread' ? 'Nothing is unread' : 'You were told nothing yet'}>
              <Link to="/">What needs you</Link>
            </Empty>
          ) : (
            <ul aria-label="Notifications" className="rows">
              {rows.map((row) => (
                <Row key={row.notification_id} row={row} />
              ))}
            </ul>
          )
        }}
      </Loaded>
      <MoreButton pages={pages} />
    </Page>
  )
}

const icons: Readonly<Record<Notification['kind'], readonly [LucideIcon, string]>> = {
  needs_me: [CircleQuestionMark, 'tone-warn'],
  cr_opened: [GitPullRequestArrow, 'tone-ok'],
  cr_merged: [GitMerge, 'tone-ok'],
  cr_failed: [GitPullRequestClosed, 'tone-bad'],
  session_failed: [CircleX, 'tone-bad'],
  trigger_failed: [BellOff, 'tone-bad'],
  budget_alert: [Wallet, 'tone-warn'],
  delivery_disabled: [Webhook, 'tone-bad'],
}

function Row({ row }: { readonly row: Notification }) {
  const { notifications } = useClient()
  const queries = useQueryClient()
  const { notification_id, kind, title, text, path, created_at, read_at } = row
  const read = useMutation({
    mutationFn: () => notifications.read({ ids: [notification_id] }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['notifications'] }),
  })
  const [Icon, tone] = icons[kind]
  const unread = read_at === null
  return (
    <li className="row flex-wrap" aria-labelledby={`${notification_id}-title`}>
      <Icon aria-hidden className={`glyph ${unread ? tone : 'tone-plain'}`} />
      <div className="min-w-0 flex-1">
        <Link
          to={path}
          id={`${notification_id}-title`}
          className={unread ? 'row-link' : 'row-link font-normal'}
          dir="auto"
          onClick={() => unread && read.mutate()}
        >
          {title}
        </Link>
        <p className="hint break-words" dir="auto">
          {text}
        </p>
        <p className="faint">
          {unread && <>Unread · </>}
          <Moment at={created_at} />
        </p>
      </div>
      {unread && (
        <div className="above">
          <button
            type="button"
            className="button small"
            disabled={read.isPending}
            onClick={() => read.mutate()}
          >
            Mark as read
          </button>
        </div>
      )}
      <Failure error={read.error} />
    </li>
  )
}
