import { parseArgs } from 'node:util'
import { readSettings } from '@svc/boot'
import {
  createDatabase,
  makeRoles,
  migrate,
  readSchema,
  renewGrants,
  roles,
  type SchemaStatus,
} from '@svc/db'
import { jobsSchema, migrateQueue } from '@svc/queue'
import { z } from 'zod'
import type { DatabaseEnv } from '../database/env.ts'
import { directUrl } from '../database/open-database.ts'
import { requireSession } from '../database/require-session.ts'
import { platformEnv } from '../env.ts'
import { runOperatorCommand, type Streams } from '../operator-command.ts'
import { passwordName, type Passwords, readPasswords } from './roles-env.ts'
import { version } from './version.ts'

const { DATABASE_URL, SVC_DATABASE_DIRECT_URL } = platformEnv
const Env = z.object({ DATABASE_URL, SVC_DATABASE_DIRECT_URL })
type Addresses = Pick<DatabaseEnv, 'DATABASE_URL' | 'SVC_DATABASE_DIRECT_URL'> &
  Partial<Pick<DatabaseEnv, 'SVC_DB_PREPARED'>>

const usage = `migrate              brings the schema up to date; beside a platform that runs, and as often as you like
migrate --status     the schema of the database beside the one of this build
migrate --check      the same, and 1 when the schema is not up to date or is not what this build's migrations made
migrate --contract   also removes what no running release uses any more
migrate --roles      also makes a role of PostgreSQL for each service, which may do what its work needs and no more
        --json       prints the status as JSON`

const options = {
  status: { type: 'boolean' },
  check: { type: 'boolean' },
  contract: { type: 'boolean' },
  roles: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

/** The operator's `migrate …`. Resolves with the exit code: 0 done, 1 failed, pending or drifted, 2 misused. */
export function runMigrateCommand(
  words: readonly string[],
  source: NodeJS.ProcessEnv,
  streams: Streams,
): Promise<number> {
  const before: string[] = []
  const run = async (asked: Asked) => {
    const env = readSettings(Env, source)
    const passwords = asked.roles ? readPasswords(source) : null
    const ran = asked.status || asked.check ? [] : await migrateSchema(env, asked)
    before.push(...ran.map((name) => `ran ${name}`))
    if (passwords !== null) before.push(...(await makeRolesOf(env, passwords)))
    const status = await statusOf(directUrl(env))
    const isAmiss = asked.check && (needsWork(status) || status.drifted.length > 0)
    return { result: status, code: isAmiss ? (1 as const) : (0 as const) }
  }
  const lines = (status: SchemaStatus) => [...before, ...linesOf(status)]
  return runOperatorCommand({ name: 'migrate', usage, parse, run, linesOf: lines }, words, streams)
}

/** Brings every schema of the database up to date, the one of the jobs too. Returns the names of what ran. */
export async function migrateSchema(
  env: Addresses,
  { contract = false }: { readonly contract?: boolean } = {},
): Promise<string[]> {
  await requireSession({ SVC_DB_PREPARED: false, ...env }, { session: true })
  const direct = directUrl(env)
  const ran = await migrate(direct, { version, contract })
  await migrateQueue(direct)
  await renewGrants(direct, { jobs_schema: jobsSchema })
  return ran
}

type Asked = NonNullable<ReturnType<typeof parse>>

function parse(words: readonly string[]) {
  const { values } = parseArgs({ args: [...words], options })
  const { status = false, check = false, contract = false, roles = false, json = false } = values
  const one = [status, check, contract, roles].filter(Boolean).length <= 1
  return one ? { status, check, contract, roles, json } : null
}

/** A line for each role; those without a password are told, since none can log in with a password yet. */
async function makeRolesOf(env: Addresses, passwords: Passwords): Promise<string[]> {
  await makeRoles(directUrl(env), { passwords, jobs_schema: jobsSchema })
  return roles.map((role) =>
    passwords[role] === undefined
      ? `made ${role}; its password is what it was (${passwordName(role)} is not set)`
      : `made ${role}, with the password of ${passwordName(role)}`,
  )
}

async function statusOf(url: string): Promise<SchemaStatus> {
  const db = createDatabase(url, { max: 1 })
  try {
    return await readSchema(db)
  } finally {
    await db.destroy()
  }
}

const needsWork = ({ pending }: SchemaStatus): boolean => pending.some(({ phase }) => phase === 'expand')

function linesOf({ level, needed, newest, min_reader, pending, ahead, drifted }: SchemaStatus): string[] {
  return [
    `the database is at schema ${level}; this build (${version}) needs ${needed} and knows ${newest}`,
    ...(min_reader > 0 ? [`releases that know less than schema ${min_reader} do not start on it`] : []),
    ...pending.map(({ name, phase }) =>
      phase === 'expand' ? `to run: ${name}` : `to run with --contract, once no older release runs: ${name}`,
    ),
    ...ahead.map((name) => `ran, and is unknown to this build: ${name}`),
    ...drifted.map(({ name }) => `ran with other statements than this build has: ${name}`),
  ]
}
