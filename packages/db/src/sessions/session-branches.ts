import { branchMachine, type SessionBranchEvent } from '@svc/session'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { literals } from '../kit/literals.ts'
import type { SessionBranchRow } from './session-branches.table.ts'

/** Keeps in mind the branch of a session that is deleted now. */
export async function add(
  tx: Db,
  { session_id, now }: { readonly session_id: string; readonly now: Date },
): Promise<void> {
  await sql`insert into session_branches (session_id, project_id, branch_name, state, deleted_at, updated_at)
    select session_id, project_id, branch_name, 'kept', ${now}, ${now} from project_sessions
    where session_id = ${session_id}
    on conflict (session_id) do nothing`.execute(tx)
}

const due = literals(branchMachine.from('remove'))

/** No live session works on it or began from it, no open change request names it, and it is not the default branch. */
const isFree = sql`not exists (select from project_sessions s
    where s.project_id = b.project_id and s.deleted_at is null and b.branch_name in (s.branch_name, s.base_ref))
  and not exists (select from change_requests c
    where c.project_id = b.project_id and c.status = 'open' and b.branch_name in (c.head_ref, c.base_ref))
  and not exists (select from projects p
    where p.project_id = b.project_id and p.default_branch = b.branch_name)`

/** Free branches of sessions that were deleted before, the longest first, in managed repositories: by `session_branches_due`. */
export async function listDue(
  db: Db,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<SessionBranchRow[]> {
  const { rows } = await sql<SessionBranchRow>`
    select b.* from session_branches b join projects using (project_id)
    where b.state <> 'removed' and b.state in ${due} and b.deleted_at < ${before}
      and projects.kind = 'managed' and projects.archived_at is null and ${isFree}
    order by b.deleted_at limit ${limit}`.execute(db)
  return rows
}

interface Change {
  readonly bundle: { readonly tip: string; readonly object_key: string }
  readonly remove: Readonly<Record<never, never>>
}

/** Moves it on where its state accepts the event, and nothing needs the branch at this moment; false when one does. */
export async function apply<Event extends SessionBranchEvent>(
  tx: Db,
  session_id: string,
  event: Event,
  change: Change[Event],
  now: Date,
): Promise<boolean> {
  // Who opens a change request or a session of the project waits for its row.
  await sql`select from projects where project_id = (select project_id from session_branches
    where session_id = ${session_id}) for update`.execute(tx)
  const row = await tx
    .updateTable('session_branches as b')
    .set({ ...change, state: branchMachine.to(event), updated_at: now })
    .where('b.session_id', '=', session_id)
    .where('b.state', 'in', branchMachine.from(event))
    .where(sql<boolean>`${isFree}`)
    .returning('b.session_id')
    .executeTakeFirst()
  return row !== undefined
}
