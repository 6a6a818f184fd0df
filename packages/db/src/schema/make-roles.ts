import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import { createDatabase, type Db } from '../database.ts'
import { againIfLocked, isLocked } from '../kit/lock-timeouts.ts'
import { withLock } from '../kit/locks.ts'
import { scramVerifier } from '../kit/scram.ts'
import { type Role, roles } from '../roles.ts'
import { admitRoles, grantRoles, listStrange } from './grant-roles.ts'
import { lockTimeout } from './lock-timeout.ts'

export interface RolesOptions {
  /** The schema of the jobs, which lies beside ours. */
  readonly jobs_schema: string
}

export interface MakeRolesOptions extends RolesOptions {
  /** A role without one keeps what it has. */
  readonly passwords: Readonly<Partial<Record<Role, string>>>
}

/**
 * Makes the roles that are missing, sets their passwords, gives the schema to its owner and each role what it may do, and
 * nothing else. May run again at any time, beside a platform that runs.
 */
export async function makeRoles(
  connection_string: string,
  { passwords, jobs_schema }: MakeRolesOptions,
): Promise<void> {
  await alone(connection_string, async (db) => {
    await briefly(db, async (tx) => {
      for (const role of roles) await makeRole(tx, role, passwords[role])
      await admitRoles(tx)
    })
    await own(db, jobs_schema)
    await briefly(db, (tx) => grantRoles(tx, jobs_schema))
  })
}

/** The same for the tables that came since, where this database has its roles and this user may grant to them. */
export async function renewGrants(connection_string: string, { jobs_schema }: RolesOptions): Promise<void> {
  await alone(connection_string, async (db) => {
    const { rows } = await sql`select from pg_class c join pg_roles r on r.oid = c.relowner
      where c.oid = to_regclass('schema_state') and r.rolname = ${owner} and pg_has_role(r.oid, 'usage')`.execute(
      db,
    )
    if (rows.length === 0) return
    await own(db, jobs_schema)
    await briefly(db, (tx) => grantRoles(tx, jobs_schema))
  })
}

/** One thing at a time: who held the locks of all tables at once would wait for work that waits for one of them. */
async function own(db: Db, jobs_schema: string): Promise<void> {
  for (const statement of await listStrange(db, jobs_schema))
    await briefly(db, (tx) => sql.raw(statement).execute(tx))
}

const owner: Role = 'svc_owner'

async function makeRole(tx: Db, role: Role, password: string | undefined): Promise<void> {
  const { rows } = await sql`select from pg_roles where rolname = ${role}`.execute(tx)
  if (rows.length === 0) await sql`create role ${sql.ref(role)} login`.execute(tx)
  if (password !== undefined)
    await sql`alter role ${sql.ref(role)} login password ${sql.lit(scramVerifier(password))}`.execute(tx)
}

async function alone(connection_string: string, work: (db: Db) => Promise<void>): Promise<void> {
  const db = createDatabase(connection_string, { max: 2 })
  try {
    await withLock(db, 'schema', () => work(db))
  } finally {
    await db.destroy()
  }
}

/** In a transaction that gives up soon where it waits for a lock, and is tried again. */
async function briefly(db: Db, work: (tx: Db) => Promise<unknown>): Promise<void> {
  await againIfLocked(
    () =>
      db.transaction().execute(async (tx) => {
        await sql`select set_config('lock_timeout', ${lockTimeout}, true)`.execute(tx)
        await work(tx)
      }),
    (error) => isLocked(error) || isElsewhere(error),
  )
}

/** Roles are those of the server: a run for another of its databases made or changed one in this moment. */
function isElsewhere(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false
  return ['42710', '23505'].includes(error.code ?? '') || error.message === 'tuple concurrently updated'
}
