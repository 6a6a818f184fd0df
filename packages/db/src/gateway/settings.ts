import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { Fallback, GatewaySettingsRow } from './gateway.table.ts'
import { type GatewayPlace, placeColumns } from './place.ts'

export async function find(db: Db, place: GatewayPlace): Promise<GatewaySettingsRow | undefined> {
  const { scope, account_id, project_id } = placeColumns(place)
  return db
    .selectFrom('gateway_settings')
    .selectAll()
    .where('scope', '=', scope)
    .where(sql<boolean>`account_id is not distinct from ${account_id}::uuid`)
    .where(sql<boolean>`project_id is not distinct from ${project_id}::uuid`)
    .executeTakeFirst()
}

/** Says that something of the place changed: gateways read it anew with their next request. */
export async function touch(tx: Db, place: GatewayPlace): Promise<void> {
  await tx
    .insertInto('gateway_settings')
    .values({ ...placeColumns(place), default_model: null, models: null, agents: '{}', fallbacks: '{}' })
    .onConflict((conflict) =>
      conflict
        .columns(['scope', 'account_id', 'project_id'])
        .doUpdateSet({ revision: sql`gateway_settings.revision + 1` }),
    )
    .execute()
}

export interface SettingsChange {
  readonly default_model?: string | null | undefined
  readonly models?: readonly string[] | null | undefined
  readonly agents?: Readonly<Record<string, { readonly models: readonly string[] | null }>> | undefined
  readonly fallbacks?: Readonly<Record<string, readonly Fallback[]>> | undefined
  readonly log_bodies?: boolean | undefined
  readonly body_days?: number | undefined
}

/** Changes what is named; the rest stays. */
export async function update(tx: Db, place: GatewayPlace, change: SettingsChange): Promise<void> {
  await touch(tx, place)
  const { agents, fallbacks, models, ...plain } = change
  const set = {
    ...Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)),
    ...(models === undefined ? {} : { models: models === null ? null : [...models] }),
    ...(agents === undefined ? {} : { agents: JSON.stringify(agents) }),
    ...(fallbacks === undefined ? {} : { fallbacks: JSON.stringify(fallbacks) }),
  }
  if (Object.keys(set).length === 0) return
  const { scope, account_id, project_id } = placeColumns(place)
  await tx
    .updateTable('gateway_settings')
    .set(set)
    .where('scope', '=', scope)
    .where(sql<boolean>`account_id is not distinct from ${account_id}::uuid`)
    .where(sql<boolean>`project_id is not distinct from ${project_id}::uuid`)
    .execute()
}
