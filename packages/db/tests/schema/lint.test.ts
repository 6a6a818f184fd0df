import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, migrations } from '../../src/index.ts'
import { runMigration } from '../../src/schema/run-migration.ts'
import { type EmptyDatabase, emptyDatabase } from '../../src/testing/index.ts'

/**
 * Findings in migrations that landed before there was a linter. It never grows: a new migration has none, or says in its
 * statement why one is not meant (`-- squawk-ignore <rule>`).
 */
const baselineFile = new URL('../../migrations.lint.json', import.meta.url)

const excluded = [
  // Every statement runs under a lock_timeout, which is set with a parameter that a linter does not see.
  'require-lock-timeout',
  // An index may take its time to be built.
  'require-statement-timeout',
  // What grows for ever is a bigint already; the rest are ports, counts and milliseconds.
  'prefer-bigint-over-int',
]

let empty: EmptyDatabase
let folder: string
/** The statements of each migration as the server was sent them, without those that keep the books. */
const sent = new Map<string, readonly string[]>()

beforeAll(async () => {
  empty = await emptyDatabase()
  folder = await mkdtemp(join(tmpdir(), 'svc-lint-'))
  let all: string[] = []
  const pool = new pg.Pool({ connectionString: empty.connection_string, max: 2 })
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void all.push(query.sql),
  })
  const ran: string[] = []
  for (const migration of migrations) {
    all = []
    await runMigration(db, ran, migration, '')
    ran.push(migration.name)
    sent.set(
      migration.name,
      all.filter((statement) => changes.test(statement) && !books.test(statement)),
    )
  }
  await db.destroy()
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await empty?.close()
})

const changes =
  /^\s*(?:--.*\n\s*)*(create|alter|drop|insert|update|delete|truncate|with|do|lock|select make_\w+)\b/i
const books = /"(kysely_migration|kysely_migration_lock|schema_migrations|schema_state)"|\bset_config\(/

/** The names of the rules that each file breaks, as often as it does. */
async function lint(files: Readonly<Record<string, readonly string[]>>, in_transaction: boolean) {
  const paths = await Promise.all(
    Object.entries(files).map(async ([name, statements]) => {
      const path = join(folder, `${name}.sql`)
      await writeFile(path, statements.map((statement) => `${statement};\n`).join(''))
      return path
    }),
  )
  if (paths.length === 0) return {}
  const words = ['--reporter=json', '--pg-version=15', `--exclude=${excluded.join(',')}`]
  if (in_transaction) words.push('--assume-in-transaction')
  const found: readonly { file: string; rule_name: string }[] = JSON.parse(await squawk([...words, ...paths]))
  const broken: Record<string, string[]> = {}
  for (const { file, rule_name } of found) (broken[basename(file, '.sql')] ??= []).push(rule_name)
  for (const rules of Object.values(broken)) rules.sort()
  return broken
}

/** Its exit code says whether it found anything. */
async function squawk(words: readonly string[]): Promise<string> {
  const require = createRequire(import.meta.url)
  const program = join(dirname(require.resolve('squawk-cli/package.json')), 'js/bin/squawk')
  return new Promise((resolve, reject) =>
    execFile(process.execPath, [program, ...words], { maxBuffer: 2 ** 26 }, (error, stdout) => {
      if (stdout.startsWith('[')) resolve(stdout)
      else reject(error ?? new Error(`squawk said: ${stdout}`))
    }),
  )
}

const ofKind = (in_transaction: boolean) =>
  Object.fromEntries(
    migrations
      .filter((migration) => migration.in_transaction === in_transaction)
      .map(({ name }) => [name, sent.get(name) ?? []]),
  )

test('no migration takes a lock for long or loses what an older release needs', async () => {
  const found = { ...(await lint(ofKind(true), true)), ...(await lint(ofKind(false), false)) }
  expect(found).toEqual(JSON.parse(await readFile(baselineFile, 'utf8')))
})

test('the statements are those that are sent', () => {
  expect([...sent.values()].flat()).toEqual(migrations.flatMap(({ statements }) => statements))
})

test('a default that is made for each row is found: the table is written anew', async () => {
  const landed = [...sent.values()]
    .flat()
    .filter((statement) => /add column .*not null default nextval/s.test(statement))
  expect(landed.length).toBeGreaterThan(0)
  const found = await lint({ landed }, true)
  expect(found['landed']).toContain('adding-field-with-default')
})
