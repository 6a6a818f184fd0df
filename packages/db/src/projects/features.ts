import type { Feature, FeatureDecided } from '@svc/access'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { prepared } from '../kit/prepared.ts'

interface Decided {
  feature: string
  enabled: boolean
  updated_by: string
  updated_at: Date
}

export interface ProjectFeatureTable extends Decided {
  project_id: string
}

/** Decisions of an operator for every project of an account. */
export interface AccountFeatureTable extends Decided {
  account_id: string
}

/** Decisions of an operator for the whole platform. */
export interface PlatformFeatureTable extends Omit<Decided, 'enabled'> {
  available: boolean
  /** Null: the default of this release. */
  enabled_by_default: boolean | null
}

export interface FeatureDecisions extends FeatureDecided {
  readonly feature: string
}

/** Decisions about these features of a project, in one statement. */
export async function decisions(
  db: Db,
  project_id: string,
  features: readonly Feature[],
): Promise<FeatureDecisions[]> {
  const { rows } = await sql<FeatureDecisions>`${prepared}
    select k.feature, f.enabled as project, a.enabled as account, p.enabled_by_default as platform,
      coalesce(p.available, true) as available
    from unnest(${features}::text[]) as k (feature)
    left join project_features f on f.project_id = ${project_id} and f.feature = k.feature
    left join projects o on o.project_id = ${project_id}
    left join account_features a on a.account_id = o.account_id and a.feature = k.feature
    left join platform_features p on p.feature = k.feature`.execute(db)
  return rows
}

/** The project's own decision. */
export async function find(db: Db, project_id: string, feature: Feature): Promise<boolean | undefined> {
  const row = await db
    .selectFrom('project_features')
    .select('enabled')
    .where('project_id', '=', project_id)
    .where('feature', '=', feature)
    .executeTakeFirst()
  return row?.enabled
}

export async function set(tx: Db, row: ProjectFeatureTable & { feature: Feature }): Promise<void> {
  const { enabled, updated_by, updated_at } = row
  await tx
    .insertInto('project_features')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'feature']).doUpdateSet({ enabled, updated_by, updated_at }),
    )
    .execute()
}

export async function listOfAccount(db: Db, account_id: string): Promise<AccountFeatureTable[]> {
  return db.selectFrom('account_features').selectAll().where('account_id', '=', account_id).execute()
}

export async function setForAccount(tx: Db, row: AccountFeatureTable & { feature: Feature }): Promise<void> {
  const { enabled, updated_by, updated_at } = row
  await tx
    .insertInto('account_features')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'feature']).doUpdateSet({ enabled, updated_by, updated_at }),
    )
    .execute()
}

/** Leaves it to the platform's default again. */
export async function unsetForAccount(
  tx: Db,
  { account_id, feature }: { readonly account_id: string; readonly feature: Feature },
): Promise<void> {
  await tx
    .deleteFrom('account_features')
    .where('account_id', '=', account_id)
    .where('feature', '=', feature)
    .execute()
}

export async function listOfPlatform(db: Db): Promise<PlatformFeatureTable[]> {
  return db.selectFrom('platform_features').selectAll().execute()
}

/** Changes what is named, and leaves the rest as it was. */
export async function setForPlatform(
  tx: Db,
  row: Omit<PlatformFeatureTable, 'available' | 'enabled_by_default'> & {
    readonly feature: Feature
    readonly available?: boolean | undefined
    readonly enabled_by_default?: boolean | undefined
  },
): Promise<void> {
  const { feature: _, ...changes } = row
  await tx
    .insertInto('platform_features')
    .values({ available: true, enabled_by_default: null, ...defined(row) })
    .onConflict((conflict) => conflict.column('feature').doUpdateSet(defined(changes)))
    .execute()
}

function defined<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  // Named boundary: the entries that are left are those that are defined.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}
