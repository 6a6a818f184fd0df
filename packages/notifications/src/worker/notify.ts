import {
  type AudiencePlace,
  type Db,
  notificationAudience,
  notifications,
  type PlatformEventRow,
} from '@svc/db'
import type { NotificationWay } from '@svc/facts'
import { channelEndedPhrase, disabledPhrase, oneLine } from '@svc/services'
import { settingsReader } from '../settings.ts'
import type { NotificationWorkerContext } from './context.ts'
import { messagePeople } from './direct.ts'
import { peopleReader, type Person } from './people.ts'
import { type Story, storyOf } from './stories.ts'

type NotifyContext = Pick<NotificationWorkerContext, 'now' | 'newId' | 'metrics' | 'settings'>

/**
 * Writes a notification for each person whom one of these events concerns, in the transaction that publishes them: each event
 * is told once, and none that was not published.
 */
export async function notifyPeople(
  ctx: NotifyContext,
  tx: Db,
  events: readonly PlatformEventRow[],
): Promise<void> {
  const people = peopleReader(tx)
  for (const event of events) {
    const story = await storyOf(tx, event)
    if (story === null) continue
    const { account_id, project_id } = event
    await notifyOf(ctx, tx, { story, event, people: await people({ account_id, project_id }) })
  }
}

interface Notice {
  readonly story: Story
  readonly event: Pick<PlatformEventRow, 'event_id' | 'account_id' | 'project_id' | 'session_id'>
  readonly people: readonly Person[]
}

async function notifyOf(ctx: NotifyContext, tx: Db, { story, event, people }: Notice): Promise<void> {
  const audience = audienceOf(story, people)
  if (audience.length === 0) return
  const now = ctx.now()
  const ids = audience.map(({ user_id }) => user_id)
  const isOn = await settingsReader(tx, ids)
  const { event_id, account_id, project_id, session_id } = event
  const here =
    session_id === null ? new Set<string>() : await notificationAudience.present(tx, session_id, ids, now)
  const rows = audience.flatMap(({ user_id, has_browser }) => {
    const on = (way: NotificationWay) => isOn(user_id, story.kind, way)
    if (!on('in_app') && !on('email') && !(on('push') && has_browser)) return []
    const read = story.over === true || here.has(user_id)
    return [
      {
        notification_id: ctx.newId(),
        ...{ user_id, account_id, project_id, session_id, event_id },
        ...{ kind: story.kind, subject: story.subject },
        ...{ title: oneLine(story.title), text: oneLine(story.text), path: story.path, in_app: on('in_app') },
        ...{ created_at: now, read_at: read ? now : null, mailed_at: null, digest_id: null },
        push_at: !read && has_browser && on('push') ? now : null,
      },
    ]
  })
  const count = await notifications.insert(tx, rows)
  if (!story.over) {
    const user_ids = ids.filter((id) => isOn(id, story.kind, 'channel') && !here.has(id))
    await messagePeople(ctx, tx, { story, event, user_ids })
  }
  if (count > 0) ctx.metrics.count('svc_notifications_total', { kind: story.kind }, count)
}

function audienceOf(story: Story, people: readonly Person[]): readonly Person[] {
  const may = people.filter((person) => story.isFor(person))
  const mine = may.filter((person) => story.isMine(person))
  const rest = mine.length === 0 && story.orManagers ? may.filter(({ manages }) => manages) : mine
  return may.filter((person) => person.level === 'all' || rest.includes(person))
}

/** Tells the managers of a place that the platform disabled a subscription to its events. */
export async function notifyDisabled(
  ctx: NotifyContext,
  tx: Db,
  {
    subscription: { subscription_id, account_id, project_id, name, url },
    reason,
    at,
  }: {
    readonly subscription: AudiencePlace & {
      readonly subscription_id: string
      readonly name: string | null
      readonly url: string
    }
    readonly reason: 'gone' | 'too_many_failures'
    readonly at: Date
  },
): Promise<void> {
  const people = await peopleReader(tx)({ account_id, project_id })
  const story: Story = {
    kind: 'delivery_disabled',
    subject: null,
    title: name ?? new URL(url).host,
    text: disabledPhrase(reason),
    path:
      project_id === null
        ? `/accounts/${account_id}/audit`
        : `/projects/${project_id}/events/${subscription_id}`,
    isMine: ({ manages }) => manages,
    isFor: ({ manages }) => manages,
  }
  // No event of the catalogue says so: each time that it is disabled is one thing.
  const event = {
    event_id: `${subscription_id} ${at.toISOString()}`,
    account_id,
    project_id,
    session_id: null,
  }
  await notifyOf(ctx, tx, { story, event, people })
}

/** Tells the managers of a project that a channel ended by itself. */
export async function notifyChannelEnded(
  ctx: NotifyContext,
  tx: Db,
  {
    channel: { channel_id, account_id, project_id, slug, name },
    reason,
  }: {
    readonly channel: {
      readonly channel_id: string
      readonly account_id: string
      readonly project_id: string
      readonly slug: string
      readonly name: string
    }
    readonly reason: string
  },
): Promise<void> {
  const story: Story = {
    kind: 'delivery_disabled',
    subject: null,
    title: name,
    text: channelEndedPhrase(reason),
    path: `/projects/${project_id}/channels/${slug}`,
    isMine: ({ manages }) => manages,
    isFor: ({ manages }) => manages,
  }
  // Each time that it ends is one thing.
  const event = {
    event_id: `${channel_id} ${ctx.now().toISOString()}`,
    ...{ account_id, project_id, session_id: null },
  }
  await notifyOf(ctx, tx, { story, event, people: await peopleReader(tx)({ account_id, project_id }) })
}
