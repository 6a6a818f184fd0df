import { type Context, requireUser } from '@svc/context'
import { notificationSettings } from '@svc/db'
import {
  defaultNotification,
  type NotificationKind,
  notificationKinds,
  type NotificationSettings,
  type NotificationWay,
  notificationWays,
} from '@svc/facts'

type PersonContext = Pick<Context, 'db' | 'principal' | 'trail'>

export type SettingsPatch = {
  readonly [K in NotificationKind]?: { readonly [W in NotificationWay]?: boolean | undefined } | undefined
}

/** Each kind with the ways on which the person is told of it. */
export async function getNotificationSettings(
  ctx: PersonContext,
): Promise<{ readonly kinds: NotificationSettings }> {
  const { user_id } = requireUser(ctx)
  return { kinds: await settingsOf(ctx, user_id) }
}

/** Changes what is given, and nothing else. */
export async function updateNotificationSettings(
  ctx: PersonContext,
  { kinds }: { readonly kinds: SettingsPatch },
): Promise<{ readonly kinds: NotificationSettings }> {
  const { user_id } = requireUser(ctx)
  const changes = notificationKinds.flatMap((kind) =>
    notificationWays.flatMap((way) => {
      const is_on = kinds[kind]?.[way]
      return is_on === undefined ? [] : [{ kind, way, is_on }]
    }),
  )
  await notificationSettings.put(ctx.db, user_id, changes)
  return { kinds: await settingsOf(ctx, user_id) }
}

async function settingsOf({ db }: Pick<Context, 'db'>, user_id: string): Promise<NotificationSettings> {
  const isOn = await settingsReader(db, [user_id])
  const kinds = notificationKinds.map((kind) => [
    kind,
    Object.fromEntries(notificationWays.map((way) => [way, isOn(user_id, kind, way)])),
  ])
  // The keys are those of the two lists.
  return Object.fromEntries(kinds) as NotificationSettings
}

export type IsOn = (user_id: string, kind: NotificationKind, way: NotificationWay) => boolean

/** The settings of these people, with what holds where they set nothing. */
export async function settingsReader(db: Context['db'], user_ids: readonly string[]): Promise<IsOn> {
  const rows = await notificationSettings.list(db, user_ids)
  const set = new Map(rows.map(({ user_id, kind, way, is_on }) => [`${user_id} ${kind} ${way}`, is_on]))
  return (user_id, kind, way) => set.get(`${user_id} ${kind} ${way}`) ?? defaultNotification(kind, way)
}
