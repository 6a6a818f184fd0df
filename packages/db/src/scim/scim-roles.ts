import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { AccountMemberKey } from '../accounts/members.ts'
import type { ParkedRoles } from './scim.table.ts'

/** A role on a project that ended. */
export interface TakenRole {
  readonly user_id: string
  readonly project_id: string
}

/**
 * Brings the roles of these people in line with their groups. A group raises a member to admin, and gives roles on
 * projects where no person gave one by hand; it takes back only what it gave. Returns the roles on projects that ended.
 */
export async function settle(
  tx: Db,
  account_id: string,
  user_ids: readonly string[],
  now: Date,
): Promise<readonly TakenRole[]> {
  if (user_ids.length === 0) return []
  const ids = sql`${[...user_ids]}::uuid[]`
  await sql`
    with wanted as (
      select m.user_id, exists (
        select from scim_group_members gm
        join scim_groups g on g.account_id = gm.account_id and g.group_id = gm.group_id
        where gm.account_id = ${account_id} and gm.user_id = m.user_id and g.account_role = 'admin') as admin
      from account_members m where m.account_id = ${account_id} and m.user_id = any(${ids})
    )
    update account_members m
    set role = case when wanted.admin then 'admin' else 'member' end, from_directory = wanted.admin
    from wanted
    where m.account_id = ${account_id} and m.user_id = wanted.user_id
      and ((m.role = 'member' and wanted.admin) or (m.from_directory and not wanted.admin))`.execute(tx)
  // Of several groups the strongest role counts, and only for members of the account.
  const wanted = sql`
    select gm.user_id, gp.project_id,
      (array['viewer', 'member', 'editor', 'manager'])[
        max(array_position(array['viewer', 'member', 'editor', 'manager'], gp.role))] as role
    from scim_group_members gm
    join scim_group_projects gp on gp.account_id = gm.account_id and gp.group_id = gm.group_id
    join account_members m on m.account_id = gm.account_id and m.user_id = gm.user_id
    where gm.account_id = ${account_id} and gm.user_id = any(${ids})
    group by gm.user_id, gp.project_id`
  const taken = await sql<TakenRole>`
    delete from project_members pm using projects p
    where p.project_id = pm.project_id and p.account_id = ${account_id}
      and pm.from_directory and pm.user_id = any(${ids})
      and not exists (select from (${wanted}) w where w.user_id = pm.user_id and w.project_id = pm.project_id)
    returning pm.user_id, pm.project_id`.execute(tx)
  await sql`
    insert into project_members as pm (project_id, user_id, role, created_at, from_directory)
    select w.project_id, w.user_id, w.role, ${now}::timestamptz, true from (${wanted}) w
    on conflict (project_id, user_id) do update set role = excluded.role
      where pm.from_directory and pm.role <> excluded.role`.execute(tx)
  return taken.rows
}

/** Roles that a person was given by hand in an account; null when they do not belong to it. */
export async function givenByHand(
  db: Db,
  { account_id, user_id }: AccountMemberKey,
): Promise<ParkedRoles | null> {
  const member = await db
    .selectFrom('account_members')
    .select(['role', 'from_directory'])
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  if (!member) return null
  const projects = await db
    .selectFrom('project_members')
    .innerJoin('projects', 'projects.project_id', 'project_members.project_id')
    .select(['project_members.project_id', 'project_members.role', 'project_members.role_id'])
    .where('projects.account_id', '=', account_id)
    .where('project_members.user_id', '=', user_id)
    .where('project_members.from_directory', '=', false)
    .execute()
  return { role: member.from_directory ? 'member' : member.role, projects }
}

/** Gives the roles on projects back, as far as the projects and the custom roles are still there. */
export async function restore(
  tx: Db,
  { account_id, user_id }: AccountMemberKey,
  { projects }: ParkedRoles,
  now: Date,
): Promise<void> {
  await sql`
    insert into project_members (project_id, user_id, role, role_id, created_at)
    select p.project_id, ${user_id}::uuid, coalesce(r.base_role, held.role), r.role_id, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(projects)}::jsonb) as held (project_id uuid, role text, role_id uuid)
    join projects p on p.project_id = held.project_id and p.account_id = ${account_id}
    left join account_roles r on r.role_id = held.role_id and r.account_id = ${account_id}
    on conflict do nothing`.execute(tx)
}

/** True when the person still belongs to an account. */
export async function belongsAnywhere(db: Db, user_id: string): Promise<boolean> {
  const row = await db
    .selectFrom('account_members')
    .select('account_id')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row !== undefined
}
