import type { Db } from '../database.ts'
import type { ProviderModel } from './gateway.table.ts'

/** Keeps the list that a provider gave, in place of the one before. */
export async function keep(
  db: Db,
  provider_id: string,
  models: readonly ProviderModel[],
  listed_at: Date,
): Promise<void> {
  const list = { models: JSON.stringify(models), listed_at }
  await db
    .insertInto('gateway_provider_lists')
    .values({ provider_id, ...list })
    .onConflict((conflict) => conflict.column('provider_id').doUpdateSet(list))
    .execute()
}

export async function find(db: Db, provider_id: string): Promise<readonly ProviderModel[] | undefined> {
  const row = await db
    .selectFrom('gateway_provider_lists')
    .select('models')
    .where('provider_id', '=', provider_id)
    .executeTakeFirst()
  return row?.models
}
