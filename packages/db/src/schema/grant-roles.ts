import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database.ts'
import { type Grant, grants, grantsOf, type Role, roles, services } from '../roles.ts'

/** Lets the roles in, and the owner make what is to come. Once, by a user that may. */
export async function admitRoles(tx: Db): Promise<void> {
  const { rows } = await sql<{ database: string; member: boolean }>`
    select current_database() as database, pg_has_role('svc_owner', 'usage') as member`.execute(tx)
  const [{ database, member } = { database: '', member: false }] = rows
  // To give a table away, one has to be of those who get it.
  if (!member) await run(tx, sql`grant svc_owner to current_user`)
  await run(tx, sql`grant create on database ${sql.ref(database)} to svc_owner`)
  await run(tx, sql`revoke create on schema public from public`)
  await run(tx, sql`grant create on schema public to svc_owner`)
  await run(tx, sql`grant usage on schema public to ${refs(roles)}`)
}

/**
 * Gives each role what `grants` says; takes away what it does not say. One that a release added is left out until an
 * operator who may make roles runs `migrate --roles`.
 */
export async function grantRoles(tx: Db, jobs_schema: string): Promise<void> {
  const there = await presentRoles(tx)
  const present = services.filter((name) => there.has(`svc_${name}`))
  const schemas = await existing(tx, ['public', jobs_schema])
  // What an owner has on its own can be taken from it as well.
  const others = refs(roles.filter((role) => role !== 'svc_owner' && there.has(role)))
  for (const schema of schemas)
    for (const kind of ['tables', 'sequences'])
      await run(tx, sql`revoke all on all ${sql.raw(kind)} in schema ${sql.ref(schema)} from ${others}`)
  const columns = await columnsOf(tx)
  for (const [table, row] of Object.entries(grants))
    for (const service of present)
      for (const grant of grantsOf(row[service] ?? ''))
        await grantTo(tx, `svc_${service}`, table, grant, columns)
  await run(tx, sql`grant select on all tables in schema public to svc_backup`)
  await run(tx, sql`grant select on all sequences in schema public to svc_backup`)
  const workers = refs(present.filter((name) => name !== 'gateway').map((name): Role => `svc_${name}`))
  await run(tx, sql`grant usage on all sequences in schema public to ${workers}`)
  // Its checks compare sequences with the rows that they number, and raise one that is behind.
  await run(tx, sql`grant select, update on all sequences in schema public to svc_merge`)
  if (!schemas.includes(jobs_schema)) return
  const jobs = sql.ref(jobs_schema)
  await run(tx, sql`grant usage on schema ${jobs} to ${workers}`)
  await run(tx, sql`grant select, insert, update, delete on all tables in schema ${jobs} to ${workers}`)
  await run(tx, sql`grant usage on all sequences in schema ${jobs} to ${workers}`)
}

async function presentRoles(tx: Db): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ rolname: string }>`
    select rolname from pg_roles where rolname in (${sql.join(roles)})`.execute(tx)
  return new Set(rows.map(({ rolname }) => rolname))
}

const run = (tx: Db, statement: RawBuilder<unknown>) => statement.execute(tx)

const refs = (names: readonly Role[]) => sql.join(names.map((name) => sql.ref(name)))

async function grantTo(tx: Db, role: Role, table: string, grant: Grant, columns: Columns): Promise<void> {
  const names = namesOf(table, grant.columns, columns)
  const listed = names === null ? sql`` : sql` (${sql.join(names.map((name) => sql.ref(name)))})`
  await run(
    tx,
    sql`grant ${sql.raw(grant.privilege)}${listed} on ${sql.ref(`public.${table}`)} to ${sql.ref(role)}`,
  )
}

/** Null for the whole table. */
function namesOf(table: string, wanted: Grant['columns'], columns: Columns): readonly string[] | null {
  if (wanted === undefined) return null
  if (wanted !== 'open' && wanted !== 'key') return wanted
  const all = columns.filter((column) => column.table_name === table)
  return all
    .filter(({ column_name, is_key }) => (wanted === 'key' ? is_key : !column_name.startsWith('sealed_')))
    .map(({ column_name }) => column_name)
}

type Columns = readonly {
  readonly table_name: string
  readonly column_name: string
  readonly is_key: boolean
}[]

async function columnsOf(tx: Db): Promise<Columns> {
  const { rows } = await sql<Columns[number]>`
    select c.relname as table_name, a.attname as column_name,
      coalesce(a.attnum = any(k.conkey), false) as is_key
    from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`.execute(tx)
  return rows
}

async function existing(tx: Db, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select nspname as name from pg_namespace where nspname in (${sql.join(names)}) order by name`.execute(tx)
  return rows.map(({ name }) => name)
}

/** The statements after which whatever stands in our schemas belongs to `svc_owner`, which may make more. */
export async function listStrange(db: Db, jobs_schema: string): Promise<string[]> {
  const schemas = await existing(db, ['public', jobs_schema])
  const { rows } = await sql<{ statement: string }>`
    with places as (select oid, nspname, nspowner from pg_namespace where nspname in (${sql.join(schemas)})),
      owner as (select oid from pg_roles where rolname = 'svc_owner')
    select format('alter schema %I owner to svc_owner', nspname) as statement
      from places, owner where nspname <> 'public' and nspowner <> owner.oid
    union all
    select format('alter %s %s owner to svc_owner',
        case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end,
        c.oid::regclass)
      from owner, pg_class c join places on places.oid = c.relnamespace
      where relkind in ('r', 'p', 'S', 'v', 'm') and relowner <> owner.oid
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i', 'e') and relkind = 'S')
    union all
    select format('alter routine %s owner to svc_owner', p.oid::regprocedure)
      from owner, pg_proc p join places on places.oid = p.pronamespace
      where p.proowner <> owner.oid and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    union all
    select format('alter type %s owner to svc_owner', t.oid::regtype)
      from owner, pg_type t join places on places.oid = t.typnamespace
      where t.typtype in ('e', 'd') and t.typowner <> owner.oid`.execute(db)
  return rows.map(({ statement }) => statement)
}
