import { sql } from 'kysely'
import type { Db } from '../database.ts'

/**
 * Projects whose apps were read at another commit than the tip of the default branch, and which may have apps. A
 * repository that could not be reached waits for the next look at its triggers.
 */
export async function listUnread(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ project_id: string }>`
    select p.project_id from projects p
    join trigger_catalogues c on c.project_id = p.project_id
    left join project_features pf on pf.project_id = p.project_id and pf.feature = 'apps'
    left join account_features af on af.account_id = p.account_id and af.feature = 'apps'
    left join platform_features lf on lf.feature = 'apps'
    where p.status = 'active' and c.tip_sha is not null and c.tip_sha is distinct from p.apps_commit_sha
      and c.failures = 0
      and coalesce(lf.available, true) and coalesce(pf.enabled, af.enabled, lf.enabled_by_default, false)
    limit ${limit}`.execute(db)
  return rows.map(({ project_id }) => project_id)
}

/** Open previews, with what their change requests say. */
export async function listPreviews(db: Db, limit: number) {
  return db
    .selectFrom('app_channels')
    .innerJoin('change_requests', 'change_requests.cr_id', 'app_channels.cr_id')
    .innerJoin('projects', 'projects.project_id', 'app_channels.project_id')
    .select([
      'app_channels.channel_id',
      'app_channels.app_id',
      'app_channels.project_id',
      'change_requests.cr_id',
      'change_requests.status as cr_status',
      'change_requests.head_ref',
      'change_requests.head_commit_sha',
      'projects.kind as project_kind',
    ])
    .where('app_channels.kind', '=', 'preview')
    .where('app_channels.closed_at', 'is', null)
    .where('projects.status', '=', 'active')
    .orderBy('app_channels.created_at')
    .limit(limit)
    .execute()
}

/** The person who merged this commit of a default branch, where it came by a change request. */
export async function mergerOf(db: Db, project_id: string, merge_commit_sha: string): Promise<string | null> {
  const row = await db
    .selectFrom('change_requests')
    .select('merged_by')
    .where('project_id', '=', project_id)
    .where('merge_commit_sha', '=', merge_commit_sha)
    .executeTakeFirst()
  return row?.merged_by ?? null
}

/** The commit of the default branch that the apps of a project were read at. */
export async function readAt(db: Db, project_id: string): Promise<string | null> {
  const row = await db
    .selectFrom('projects')
    .select('apps_commit_sha')
    .where('project_id', '=', project_id)
    .executeTakeFirst()
  return row?.apps_commit_sha ?? null
}

/** Null where they are to be read again. */
export async function setRead(tx: Db, project_id: string, apps_commit_sha: string | null): Promise<void> {
  await tx.updateTable('projects').set({ apps_commit_sha }).where('project_id', '=', project_id).execute()
}
