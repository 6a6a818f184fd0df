import type { AppPlatform } from '@svc/app'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'

/** The rules for apps that the process wrote down which makes them; undefined before it ever ran. */
export async function find(db: Db): Promise<AppPlatform | undefined> {
  const row = await db.selectFrom('app_platform').select('rules').executeTakeFirst()
  return row?.rules
}

export async function publish(db: Db, rules: AppPlatform, now: Date): Promise<void> {
  await sql`insert into app_platform (is_one, rules, updated_at) values (true, ${jsonb(rules)}::jsonb, ${now})
    on conflict (is_one) do update set rules = excluded.rules, updated_at = excluded.updated_at
    where app_platform.rules <> excluded.rules`.execute(db)
}
