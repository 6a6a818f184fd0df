import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'
import type { ConnectorRow } from './connectors.table.ts'

export interface ConnectorKey {
  readonly project_id: string
  readonly slug: string
}

export async function list(db: Db, project_id: string): Promise<ConnectorRow[]> {
  return db
    .selectFrom('project_connectors')
    .selectAll()
    .where('project_id', '=', project_id)
    .orderBy('position')
    .execute()
}

export async function find(db: Db, { project_id, slug }: ConnectorKey): Promise<ConnectorRow | undefined> {
  return db
    .selectFrom('project_connectors')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('slug', '=', slug)
    .executeTakeFirst()
}

export type DeclaredConnector = Pick<
  ConnectorRow,
  'slug' | 'position' | 'definition' | 'definition_digest' | 'provider'
>

/** Writes what the manifest declares now. One whose definition changed is to be read anew; what another look knew stays. */
export async function declare(
  tx: Db,
  project_id: string,
  declared: readonly DeclaredConnector[],
  now: Date,
): Promise<void> {
  const gone = tx.deleteFrom('project_connectors').where('project_id', '=', project_id)
  const slugs = declared.map(({ slug }) => slug)
  await (slugs.length === 0 ? gone : gone.where('slug', 'not in', slugs)).execute()
  if (declared.length === 0) return
  await tx
    .insertInto('project_connectors')
    .values(
      declared.map((one) => ({
        ...one,
        definition: jsonb(one.definition),
        project_id,
        status: 'syncing' as const,
        error: null,
        catalogue_digest: null,
        synced_at: null,
        sync_due_at: now,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'slug']).doUpdateSet((eb) => ({
        position: eb.ref('excluded.position'),
        definition: eb.ref('excluded.definition'),
        provider: eb.ref('excluded.provider'),
        definition_digest: eb.ref('excluded.definition_digest'),
        sync_due_at: sql<Date | null>`case when project_connectors.definition_digest = excluded.definition_digest
          then project_connectors.sync_due_at else excluded.sync_due_at end`,
      })),
    )
    .execute()
}

/** Connectors whose actions are to be read; each is put off to `until`, so that others leave it alone. */
export async function claimDue(db: Db, now: Date, until: Date, limit: number): Promise<ConnectorKey[]> {
  const { rows } = await sql<ConnectorKey>`
    update project_connectors set sync_due_at = ${until} where (project_id, slug) in (
      select project_id, slug from project_connectors where sync_due_at <= ${now}
      order by sync_due_at limit ${limit} for update skip locked)
    returning project_id, slug`.execute(db)
  return rows
}

/** Asks for another look at once. */
export async function markDue(db: Db, { project_id, slug }: ConnectorKey, now: Date): Promise<void> {
  await db
    .updateTable('project_connectors')
    .set({ sync_due_at: now })
    .where('project_id', '=', project_id)
    .where('slug', '=', slug)
    .execute()
}

/** Writes what a look found, unless the definition is another one by now: false then. */
export async function synced(
  tx: Db,
  { project_id, slug, definition_digest }: ConnectorKey & Pick<ConnectorRow, 'definition_digest'>,
  found: Pick<ConnectorRow, 'status' | 'error' | 'sync_due_at'> &
    Partial<Pick<ConnectorRow, 'catalogue_digest' | 'synced_at'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('project_connectors')
    .set(found)
    .where('project_id', '=', project_id)
    .where('slug', '=', slug)
    .where('definition_digest', '=', definition_digest)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Locked until the transaction ends. */
export async function lock(tx: Db, { project_id, slug }: ConnectorKey): Promise<ConnectorRow | undefined> {
  return tx
    .selectFrom('project_connectors')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('slug', '=', slug)
    .forUpdate()
    .executeTakeFirst()
}

export async function setDigest(
  tx: Db,
  { project_id, slug }: ConnectorKey,
  catalogue_digest: string,
): Promise<void> {
  await tx
    .updateTable('project_connectors')
    .set({ catalogue_digest })
    .where('project_id', '=', project_id)
    .where('slug', '=', slug)
    .execute()
}
