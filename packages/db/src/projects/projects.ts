import { type AccountRole, projectMachine, type ProjectRole } from '@svc/access'
import type { Capability } from '@svc/facts'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Db } from '../database.ts'
import { filledQuery, fixedQuery } from '../kit/fixed-query.ts'
import { batchedRead } from '../kit/batched.ts'
import { prepared } from '../kit/prepared.ts'
import type { AccountRow, Suspension } from '../accounts/accounts.table.ts'
import type { ProjectRow, ProjectTable } from './projects.table.ts'

/** Decisions of an operator about the account of a project. */
export type AccountTerms = Suspension & Pick<AccountRow, 'limit_storage_mb'>

/** A project as one person meets it: with their roles, null where they have none. */
export interface ProjectWithRoles extends ProjectRow, AccountTerms {
  readonly account_role: AccountRole | null
  readonly member_role: ProjectRole | null
  /** Capabilities that the custom role of that membership adds. */
  readonly extra: readonly Capability[] | null
}

const columns = [
  'projects.project_id',
  'projects.account_id',
  'projects.name',
  'projects.slug',
  'projects.kind',
  'projects.repo_url',
  'projects.default_branch',
  'projects.status',
  'projects.default_model',
  'projects.metadata',
  'projects.sealed_data_key',
  'projects.sealed_credential',
  'projects.last_cr_number',
  'projects.created_by',
  'projects.created_at',
  'projects.updated_at',
  'projects.archived_at',
] as const

const terms = ['accounts.suspended_at', 'accounts.suspended_reason', 'accounts.limit_storage_mb'] as const

const roles = [
  'account_members.role as account_role',
  'project_members.role as member_role',
  'account_roles.capabilities as extra',
] as const

function withRoles(db: Db, user_id: string) {
  return db
    .selectFrom('projects')
    .innerJoin('accounts', 'accounts.account_id', 'projects.account_id')
    .leftJoin('account_members', (join) =>
      join
        .onRef('account_members.account_id', '=', 'projects.account_id')
        .on('account_members.user_id', '=', user_id),
    )
    .leftJoin('project_members', (join) =>
      join
        .onRef('project_members.project_id', '=', 'projects.project_id')
        .on('project_members.user_id', '=', user_id),
    )
    .leftJoin('account_roles', 'account_roles.role_id', 'project_members.role_id')
    .select(columns)
    .select(terms)
    .select(roles)
}

export async function insert(db: Db, project: Insertable<ProjectTable>): Promise<ProjectRow> {
  return db.insertInto('projects').values(project).returningAll().executeTakeFirstOrThrow()
}

export async function find(db: Db, project_id: string): Promise<ProjectRow | undefined> {
  return db.selectFrom('projects').selectAll().where('project_id', '=', project_id).executeTakeFirst()
}

/** The account alone: a caller that sees no secret sees neither the project's key nor its credential. */
export async function findAccountId(db: Db, project_id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('projects')
    .select('account_id')
    .where('project_id', '=', project_id)
    .executeTakeFirst()
  return row?.account_id
}

/** Waits for writes of secrets that are under way; later ones wait for the end of the transaction. */
export async function awaitSecretWrites(tx: Db, project_id: string): Promise<void> {
  await tx
    .selectFrom('projects')
    .select('project_id')
    .where('project_id', '=', project_id)
    .forShare()
    .execute()
}

/** For workers, which start from the id of a session. */
export async function findOfSession(db: Db, session_id: string): Promise<ProjectRow | undefined> {
  const [project] = await ofSession(db, session_id)
  return project
}

const ofSession = fixedQuery((db, session_id: string) =>
  db
    .selectFrom('projects')
    .innerJoin('project_sessions', 'project_sessions.project_id', 'projects.project_id')
    .select(columns)
    .modifyFront(prepared)
    .where('project_sessions.session_id', '=', session_id),
)

/** A project with what its account says about models. */
export interface ProjectWithDefaults extends ProjectRow {
  readonly account_model: string | null
  readonly account_suspended: boolean
}

export async function findWithDefaults(db: Db, project_id: string): Promise<ProjectWithDefaults | undefined> {
  return db
    .selectFrom('projects')
    .innerJoin('accounts', 'accounts.account_id', 'projects.account_id')
    .selectAll('projects')
    .select('accounts.default_model as account_model')
    .select((eb) => eb('accounts.suspended_at', 'is not', null).$castTo<boolean>().as('account_suspended'))
    .where('projects.project_id', '=', project_id)
    .executeTakeFirst()
}

export interface Meeting {
  readonly project_id: string
  readonly user_id: string
}

const meetings = fixedQuery((db, project_ids: readonly string[], user_ids: readonly string[]) =>
  db
    .selectFrom(
      sql<Meeting>`unnest(${project_ids}::uuid[], ${user_ids}::uuid[])`.as<'asked'>(
        sql`asked(project_id, user_id)`,
      ),
    )
    .modifyFront(prepared)
    .innerJoin('projects', 'projects.project_id', 'asked.project_id')
    .innerJoin('accounts', 'accounts.account_id', 'projects.account_id')
    .leftJoin('account_members', (join) =>
      join
        .onRef('account_members.account_id', '=', 'projects.account_id')
        .onRef('account_members.user_id', '=', 'asked.user_id'),
    )
    .leftJoin('project_members', (join) =>
      join
        .onRef('project_members.project_id', '=', 'projects.project_id')
        .onRef('project_members.user_id', '=', 'asked.user_id'),
    )
    .leftJoin('account_roles', 'account_roles.role_id', 'project_members.role_id')
    .select(columns)
    .select(terms)
    .select(roles)
    .select('asked.user_id'),
)

const keyOf = ({ project_id, user_id }: Meeting): string => `${project_id} ${user_id}`

const meet = batchedRead(async (db: Db, asked: readonly Meeting[]) => {
  const found = await meetings(
    db,
    asked.map(({ project_id }) => project_id),
    asked.map(({ user_id }) => user_id),
  )
  const byMeeting = new Map(found.map((row) => [keyOf(row), row]))
  return asked.map((meeting) => byMeeting.get(keyOf(meeting)))
})

/** Calls at the same time share one statement: each request about a project begins with this query. */
export function findForUser(
  db: Db,
  project_id: string,
  user_id: string,
): Promise<ProjectWithRoles | undefined> {
  return meet(db, { project_id, user_id })
}

/** Those whose repository the platform keeps. */
export async function listManaged(db: Db): Promise<Pick<ProjectRow, 'project_id' | 'default_branch'>[]> {
  return db
    .selectFrom('projects')
    .select(['project_id', 'default_branch'])
    .where('kind', '=', 'managed')
    .orderBy('project_id')
    .execute()
}

/** The active projects that the person has any role on; one of them alone when `project_id` is given. */
export async function listForUser(db: Db, user_id: string, project_id?: string): Promise<ProjectWithRoles[]> {
  const values = new Map([[anyUser, user_id]])
  if (project_id === undefined) return allOfUser(db, values)
  return oneOfUser(db, values.set(anyProject, project_id))
}

/** Placeholders. */
const [anyUser, anyProject] = ['a user', 'a project']

const allOfUser = filledQuery((db) => ofUser(db).compile())
const oneOfUser = filledQuery((db) => ofUser(db).where('projects.project_id', '=', anyProject).compile())

const ofUser = (db: Db) =>
  withRoles(db, anyUser)
    .modifyFront(prepared)
    .where('projects.status', '=', 'active')
    .where((eb) =>
      eb.or([
        eb('account_members.role', 'in', ['owner', 'admin']),
        eb('project_members.role', 'is not', null),
      ]),
    )
    .orderBy('projects.name')
    .orderBy('projects.project_id')

export async function slugsLike(db: Db, account_id: string, slug: string): Promise<string[]> {
  const rows = await db
    .selectFrom('projects')
    .select('slug')
    .where('account_id', '=', account_id)
    .where((eb) => eb.or([eb('slug', '=', slug), eb('slug', 'like', `${slug.replace(/[\\%_]/g, '\\$&')}-%`)]))
    .execute()
  return rows.map((row) => row.slug)
}

/** Changes that leave the status alone, of an active project. */
export async function patch(
  db: Db,
  project_id: string,
  values: Omit<Updateable<ProjectTable>, 'status' | 'archived_at'>,
): Promise<ProjectRow | undefined> {
  return db
    .updateTable('projects')
    .set(values)
    .where('project_id', '=', project_id)
    .where('status', '=', 'active')
    .returningAll()
    .executeTakeFirst()
}

/** False when it was archived before. */
export async function archive(db: Db, project_id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('projects')
    .set({ status: projectMachine.to('archive'), archived_at: now, updated_at: now })
    .where('project_id', '=', project_id)
    .where('status', 'in', projectMachine.from('archive'))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The next change request number; the row stays locked until the transaction ends, so numbers have no gaps. */
export async function takeNumber(tx: Db, project_id: string): Promise<number> {
  const row = await tx
    .updateTable('projects')
    .set((eb) => ({ last_cr_number: eb('last_cr_number', '+', 1) }))
    .where('project_id', '=', project_id)
    .returning('last_cr_number')
    .executeTakeFirstOrThrow()
  return row.last_cr_number
}
