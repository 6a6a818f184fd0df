import type { NotificationKind, NotificationWay, WatchLevel } from '@svc/facts'
import type { Db } from '../database.ts'

export interface NotificationSetting {
  readonly kind: NotificationKind
  readonly way: NotificationWay
  readonly is_on: boolean
}

/** Settings of these people that are not as they are by default. */
export async function list(
  db: Db,
  user_ids: readonly string[],
): Promise<(NotificationSetting & { readonly user_id: string })[]> {
  if (user_ids.length === 0) return []
  return db.selectFrom('notification_settings').selectAll().where('user_id', 'in', user_ids).execute()
}

export async function put(tx: Db, user_id: string, settings: readonly NotificationSetting[]): Promise<void> {
  if (settings.length === 0) return
  await tx
    .insertInto('notification_settings')
    .values(settings.map((setting) => ({ user_id, ...setting })))
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'kind', 'way']).doUpdateSet({ is_on: (eb) => eb.ref('excluded.is_on') }),
    )
    .execute()
}

export async function findWatch(
  db: Db,
  user_id: string,
  project_id: string,
): Promise<WatchLevel | undefined> {
  const row = await db
    .selectFrom('project_watches')
    .select('level')
    .where('user_id', '=', user_id)
    .where('project_id', '=', project_id)
    .executeTakeFirst()
  return row?.level
}

export async function putWatch(
  db: Db,
  watch: { readonly user_id: string; readonly project_id: string; readonly level: WatchLevel },
): Promise<void> {
  const { level } = watch
  await db
    .insertInto('project_watches')
    .values(watch)
    .onConflict((conflict) => conflict.columns(['user_id', 'project_id']).doUpdateSet({ level }))
    .execute()
}
