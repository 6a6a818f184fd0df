import { sql } from 'kysely'
import type { ChangeRequestRow } from './change-requests.table.ts'
import type { Db } from '../database.ts'

/** A change request that a session opened, as its credential said; true also when the session is gone. */
export interface ChangeRequestAuthorTable {
  cr_id: string
  session_id: string
}

/** A branch that a session pushed to which is not its own. */
export interface SessionPushTable {
  project_id: string
  branch: string
  session_id: string
  pushed_at: Date
}

export async function opened(tx: Db, author: ChangeRequestAuthorTable): Promise<void> {
  await tx.insertInto('change_request_authors').values(author).execute()
}

export interface PushedBranches {
  readonly project_id: string
  readonly session_id: string
  readonly branches: readonly string[]
}

export async function pushed(db: Db, { branches, ...by }: PushedBranches, pushed_at: Date): Promise<void> {
  if (branches.length === 0) return
  await db
    .insertInto('session_pushes')
    .values(branches.map((branch) => ({ ...by, branch, pushed_at })))
    .onConflict((conflict) => conflict.columns(['project_id', 'branch', 'session_id']).doNothing())
    .execute()
}

/** `proposed`: by opening it, by being named in it, or by the branch. `written`: also by a push to its head. */
export type Part = 'proposed' | 'written'

/** The trees of the sessions that have a part in a change request. */
export async function treesOf(
  db: Db,
  { cr_id, project_id, head_ref, origin_session_id }: ChangeRequestRow,
  part: Part,
): Promise<string[]> {
  const { rows } = await sql<{ tree_id: string }>`
    select distinct coalesce(ancestor_session_ids[1], session_id) as tree_id from project_sessions
    where project_id = ${project_id} and session_id in (
      select session_id from change_request_authors where cr_id = ${cr_id}
      union all
      select session_id from session_pushes
      where ${part === 'written'} and project_id = ${project_id} and branch = ${head_ref}
      union all
      select ${origin_session_id}::uuid
      union all
      select session_id from project_sessions where project_id = ${project_id} and branch_name = ${head_ref}
    )`.execute(db)
  return rows.map(({ tree_id }) => tree_id)
}
