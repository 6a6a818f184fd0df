import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import pg from 'pg'
import { type Db, makeRoles, renewGrants, type Role, roles } from '../../src/index.ts'
import { grants, grantsOf, type Privilege, services } from '../../src/roles.ts'
import { type TestDatabase, testDatabase } from '../../src/testing/index.ts'

/** The same in every file of this run: roles are those of the server. */
const password = 'only-for-these-tests'
const jobs_schema = 'bullmq'

let database: TestDatabase
let tables: readonly { readonly name: string; readonly columns: readonly string[]; readonly key: string }[]
const clients = new Map<Role, pg.Client>()

async function make(): Promise<void> {
  const passwords = Object.fromEntries(roles.map((role) => [role, password]))
  await makeRoles(database.connection_string, { passwords, jobs_schema })
}

beforeAll(async () => {
  database = await testDatabase()
  await make()
  tables = await readTables(database.db)
  for (const role of roles) {
    const url = new URL(database.connection_string)
    Object.assign(url, { username: role, password })
    const client = new pg.Client({ connectionString: url.href })
    await client.connect()
    clients.set(role, client)
  }
})
afterAll(async () => {
  for (const client of clients.values()) await client.end()
  await database?.close()
})

async function readTables(db: Db) {
  const { rows } = await sql<{ name: string; columns: string[]; key: string }>`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns,
      coalesce((select a2.attname from pg_constraint k join pg_attribute a2 on a2.attrelid = c.oid and a2.attnum = k.conkey[1]
        where k.conrelid = c.oid and k.contype = 'p'), min(a.attname))::text as key
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    group by c.oid order by 1`.execute(db)
  return rows
}

/** The code of PostgreSQL's refusal; null where it did the work, which changes no row, and is undone where it could. */
async function codeOf(role: Role, statement: string): Promise<string | null> {
  const client = clients.get(role)
  if (client === undefined) throw new Error(`${role} is not connected`)
  const undone = !/limit 0$|where false$/.test(statement)
  if (undone) await client.query('begin')
  try {
    await client.query(statement)
    return null
  } catch (error) {
    return error instanceof pg.DatabaseError ? (error.code ?? '') : 'another error'
  } finally {
    if (undone) await client.query('rollback')
  }
}
const refused = '42501'

/** A statement that needs this verb on this column; what it does to rows is nothing. */
const statements: Readonly<Record<Privilege, (table: string, column: string) => string>> = {
  select: (table, column) => `select ${column} from ${table} limit 0`,
  insert: (table, column) =>
    `insert into ${table} (${column}) overriding system value select null where false`,
  update: (table, column) => `update ${table} set ${column} = default where false`,
  delete: (table) => `delete from ${table} where false`,
}

test('every table of the schema has its row, and no row names another one', () => {
  expect(Object.keys(grants).toSorted()).toEqual(tables.map(({ name }) => name))
})

describe('a walk over each role, table, column and verb', () => {
  test.each(services)('svc_%s may do what its row says, and is refused the rest', async (service) => {
    const found: string[] = []
    const expected: string[] = []
    for (const { name, columns, key } of tables) {
      const given = grantsOf(Object.entries(grants).find(([table]) => table === name)?.[1][service] ?? '')
      for (const [verb, statement] of Object.entries(statements)) {
        for (const column of verb === 'delete' ? [key] : columns) {
          const isGiven = given.some(({ privilege, columns: only }) => {
            if (privilege !== verb) return false
            if (only === 'open') return !column.startsWith('sealed_')
            if (only === 'key') return column === key || isInKey(name, column)
            return only === undefined || only.includes(column)
          })
          const line = `${verb} ${name}.${column}`
          if (isGiven) expected.push(line)
          if ((await codeOf(`svc_${service}`, statement(`"${name}"`, `"${column}"`))) !== refused)
            found.push(line)
        }
      }
    }
    expect(found.filter((line) => !expected.includes(line))).toEqual([])
    expect(expected.filter((line) => !found.includes(line))).toEqual([])
  })

  const isInKey = (table: string, column: string) => keys.get(table)?.includes(column) ?? false
  const keys = new Map<string, readonly string[]>()
  beforeAll(async () => {
    const { rows } = await sql<{ name: string; columns: string[] }>`
      select k.conrelid::regclass::text as name, array_agg(a.attname::text) as columns
      from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey)
      where k.contype = 'p' and k.connamespace = 'public'::regnamespace group by 1`.execute(database.db)
    for (const { name, columns } of rows) keys.set(name, columns)
  })

  test('svc_backup reads everything, and writes nothing', async () => {
    for (const { name, key } of tables) {
      expect(await codeOf('svc_backup', `select * from "${name}" limit 0`), name).toBeNull()
      for (const verb of ['insert', 'update', 'delete'] as const)
        expect(await codeOf('svc_backup', statements[verb](`"${name}"`, `"${key}"`)), `${verb} ${name}`).toBe(
          refused,
        )
    }
  })

  test.each(roles.filter((role) => role !== 'svc_owner'))('%s changes no schema', async (role) => {
    for (const statement of [
      'create table made (id integer)',
      'create schema made',
      'alter table accounts add column made integer',
      'drop table accounts',
      'truncate accounts',
      'create index made on accounts (name)',
      'set role svc_owner',
    ])
      expect(await codeOf(role, statement), statement).toBe(refused)
  })
})

test('the gateway reads no secret, session event or sign-in', async () => {
  const closed = [
    'project_secrets',
    'personal_secrets',
    'session_events',
    'sign_ins',
    'sign_in_tokens',
    'sign_in_codes',
    'user_credentials',
    'user_totp',
    'user_recovery_codes',
    'oauth_artefacts',
    'oauth_keys',
  ]
  for (const table of closed)
    expect(await codeOf('svc_gateway', `select from ${table} limit 0`), table).toBe(refused)
  // It finds the turn that asks, and no word of it.
  for (const column of ['text', 'error', 'created_by'])
    expect(await codeOf('svc_gateway', `select ${column} from session_prompts limit 0`), column).toBe(refused)
  const sealed = tables.flatMap(({ name, columns }) =>
    columns.filter((column) => column.startsWith('sealed_')).map((column) => [name, column] as const),
  )
  expect(sealed.length).toBeGreaterThan(10)
  for (const [table, column] of sealed)
    expect(await codeOf('svc_gateway', `select ${column} from ${table} limit 0`), `${table}.${column}`).toBe(
      refused,
    )
})

test('services that start sessions hear the verdict of an admission, and admit no call', async () => {
  const id = '00000000-0000-4000-8000-000000000000'
  const asked = JSON.stringify({
    ...{ call_id: id, account_id: id, project_id: id, token_id: id, dialect: 'chat', streamed: true },
    ...{ want_micros: 1, floor_micros: 1, free: false, priced: true, billed: false },
  })
  for (const role of ['svc_api', 'svc_scheduler'] as const) {
    expect(await codeOf(role, `select gateway_would_admit('${asked}')`)).toBeNull()
    expect(await codeOf(role, `select gateway_admit('${asked}')`)).toBe(refused)
  }
  const { rows } = await sql`select from gateway_calls`.execute(database.db)
  expect(rows).toEqual([])
})

test('the owner changes the schema, and what it makes has its rights at the next migration', async () => {
  const owner = clients.get('svc_owner')
  await owner?.query('alter table session_claims rename to session_claims_then')
  await owner?.query('create table session_claims (like session_claims_then)')
  expect(await codeOf('svc_sandbox', 'select from session_claims limit 0')).toBe(refused)
  const url = new URL(database.connection_string)
  Object.assign(url, { username: 'svc_owner', password })
  await renewGrants(url.href, { jobs_schema })
  expect(await codeOf('svc_sandbox', 'select from session_claims limit 0')).toBeNull()
})

test('a second run changes nothing, and takes back what was granted beside it', async () => {
  const rights = async () =>
    (
      await sql`select relname, relowner::regrole::text as owner, relacl::text from pg_class
        where relnamespace = 'public'::regnamespace order by 1`.execute(database.db)
    ).rows
  await make()
  const first = await rights()
  await sql`grant select, update on project_secrets to svc_gateway`.execute(database.db)
  await sql`grant select (sealed_data_key) on projects to svc_gateway`.execute(database.db)
  await Promise.all([make(), make()])
  expect(await rights()).toEqual(first)
  expect(await codeOf('svc_gateway', 'select sealed_data_key from projects limit 0')).toBe(refused)
})

test('a database without roles is left as it is', async () => {
  const other = await testDatabase()
  try {
    await renewGrants(other.connection_string, { jobs_schema })
    const { rows } = await sql`select from pg_class where relnamespace = 'public'::regnamespace
      and relowner = 'svc_owner'::regrole`.execute(other.db)
    expect(rows).toEqual([])
  } finally {
    await other.close()
  }
})
