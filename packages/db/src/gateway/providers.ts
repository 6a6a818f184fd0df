import { type Insertable, sql } from 'kysely'
import type { Db } from '../database.ts'
import type {
  GatewayPriceRow,
  GatewaySettingsRow,
  ProviderKeyRow,
  ProviderKeyTable,
  ProviderRow,
  ProviderTable,
} from './gateway.table.ts'
import { type GatewayPlace, placeColumns } from './place.ts'
import { touch } from './settings.ts'

export interface ProviderWithKeys extends ProviderRow {
  readonly keys: readonly ProviderKeyRow[]
}

export async function list(db: Db, place: GatewayPlace): Promise<ProviderWithKeys[]> {
  const { scope, account_id, project_id } = placeColumns(place)
  const rows = await db
    .selectFrom('gateway_providers')
    .selectAll()
    .where('scope', '=', scope)
    .where(sql<boolean>`account_id is not distinct from ${account_id}::uuid`)
    .where(sql<boolean>`project_id is not distinct from ${project_id}::uuid`)
    .orderBy('slug')
    .execute()
  return withKeys(db, rows)
}

export async function find(db: Db, place: GatewayPlace, slug: string): Promise<ProviderWithKeys | undefined> {
  return (await list(db, place)).find((provider) => provider.slug === slug)
}

/**
 * Everything that decides about the models of a project: of its own, its account's and the operator's place. Without a
 * project it is what decides for the account, without either that of the operator.
 */
export async function ofProject(
  db: Db,
  { project_id, account_id }: { readonly project_id: string | null; readonly account_id: string | null },
): Promise<{
  readonly providers: readonly ProviderWithKeys[]
  readonly settings: readonly GatewaySettingsRow[]
  readonly prices: readonly GatewayPriceRow[]
}> {
  const near = sql<boolean>`(project_id = ${project_id}::uuid or account_id = ${account_id}::uuid or scope = 'operator')`
  const [rows, settings, prices] = await Promise.all([
    db.selectFrom('gateway_providers').selectAll().where(near).orderBy('slug').execute(),
    db.selectFrom('gateway_settings').selectAll().where(near).execute(),
    db.selectFrom('gateway_prices').selectAll().where(near).execute(),
  ])
  return { providers: await withKeys(db, rows), settings, prices }
}

async function withKeys(db: Db, rows: readonly ProviderRow[]): Promise<ProviderWithKeys[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ provider_id }) => provider_id)
  const keys = await db
    .selectFrom('gateway_provider_keys')
    .selectAll()
    .where('provider_id', 'in', ids)
    .orderBy('created_at')
    .orderBy('key_id')
    .execute()
  return rows.map((row) => ({ ...row, keys: keys.filter((key) => key.provider_id === row.provider_id) }))
}

export async function insert(tx: Db, row: Insertable<ProviderTable>): Promise<void> {
  await tx.insertInto('gateway_providers').values(row).execute()
}

export async function update(
  tx: Db,
  provider_id: string,
  change: Partial<
    Pick<Insertable<ProviderTable>, 'base_url' | 'models' | 'deadlines' | 'output_limit_field' | 'enabled'>
  > & {
    readonly updated_at: Date
  },
): Promise<void> {
  await tx.updateTable('gateway_providers').set(change).where('provider_id', '=', provider_id).execute()
}

export async function remove(tx: Db, provider_id: string): Promise<void> {
  await tx.deleteFrom('gateway_providers').where('provider_id', '=', provider_id).execute()
}

export async function insertKey(tx: Db, row: Insertable<ProviderKeyTable>): Promise<ProviderKeyRow> {
  return tx.insertInto('gateway_provider_keys').values(row).returningAll().executeTakeFirstOrThrow()
}

/** False when the provider has no such key. */
export async function removeKey(tx: Db, provider_id: string, key_id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('gateway_provider_keys')
    .where('provider_id', '=', provider_id)
    .where('key_id', '=', key_id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The ids of the master keys under which keys of providers are sealed. */
export async function sealingKeyIds(db: Db): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('gateway_provider_keys')
    .select(sql<string>`split_part(sealed, '.', 2)`.as('key_id'))
    .distinct()
    .where('sealed', 'is not', null)
    .execute()
  return rows.map(({ key_id }) => key_id)
}

/** Notes the use of a key, at most once a minute; a trouble of it at once. */
export async function noteKey(
  db: Db,
  key_id: string,
  note: { readonly now: Date; readonly last_error?: string | null; readonly cooling_until?: Date },
): Promise<void> {
  const { now, ...changes } = note
  await db
    .updateTable('gateway_provider_keys')
    .set({ last_used_at: now, ...changes })
    .where('key_id', '=', key_id)
    .where((eb) =>
      changes.last_error === undefined && changes.cooling_until === undefined
        ? eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', new Date(now.getTime() - 60_000))])
        : eb.lit(true),
    )
    .execute()
}

type Named = Omit<
  Insertable<ProviderTable>,
  'scope' | 'account_id' | 'project_id' | 'managed_by' | 'created_by'
> & {
  readonly key: Pick<ProviderKeyRow, 'key_id' | 'name' | 'variable' | 'hint'> | null
}

/** The operator's providers of the environment become what it names now. */
export async function replaceNamed(db: Db, named: readonly Named[]): Promise<void> {
  const place = { scope: 'operator' } as const
  await db.transaction().execute(async (tx) => {
    // Two gateways that start at once do it one after the other.
    await sql`select pg_advisory_xact_lock(hashtextextended('gateway_providers', 0))`.execute(tx)
    const { numDeletedRows } = await tx
      .deleteFrom('gateway_providers')
      .where('scope', '=', 'operator')
      .where('managed_by', '=', 'environment')
      .executeTakeFirst()
    if (numDeletedRows === 0n && named.length === 0) return
    await touch(tx, place)
    for (const { key, ...row } of named) {
      await insert(tx, { ...row, ...placeColumns(place), managed_by: 'environment', created_by: null })
      if (key !== null)
        await insertKey(tx, {
          ...key,
          provider_id: row.provider_id,
          sealed: null,
          created_at: row.created_at,
        })
    }
  })
}
