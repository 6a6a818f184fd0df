import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDatabase, type Db } from '@svc/db'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type TcpDatabase, tcpDatabase } from '../../../standalone/tests/support/platform/tcp-database.ts'
import { type BuiltApi, builtApi } from './built-api.ts'
import { hasPgbouncer, type Pooler, startPgbouncer } from './pgbouncer.ts'

if (!hasPgbouncer && process.env.CI) throw new Error('CI needs pgbouncer for these tests')
if (!hasPgbouncer) console.warn('Skipped: pgbouncer is not installed')

const remedy =
  'Set SVC_DATABASE_DIRECT_URL to the address of the server itself or of a pooler in session mode (for locks, LISTEN, jobs and migrations), and SVC_DB_PREPARED=false for the pooled DATABASE_URL.'

describe.skipIf(!hasPgbouncer)('behind a PgBouncer', () => {
  let database: TcpDatabase
  let db: Db
  let poolers: Readonly<Record<'session' | 'transaction', Pooler>>
  let built: BuiltApi | undefined

  beforeAll(async () => {
    database = await tcpDatabase()
    db = createDatabase(database.connection_string, { max: 2 })
    poolers = {
      session: await startPgbouncer(database.connection_string, 'session'),
      transaction: await startPgbouncer(database.connection_string, 'transaction'),
    }
  })
  afterEach(() => built?.close())
  afterAll(async () => {
    for (const pooler of Object.values(poolers ?? {})) await pooler.close()
    await db?.destroy()
    await database?.close()
  })

  /** An API that answers 40 authenticated requests at once; the last word is its exit code. */
  async function serves(url: string, more: Readonly<Record<string, string>>): Promise<number | null> {
    built = await builtApi(url)
    const bootstrap = join(built.folder, 'bootstrap.json')
    const started = built.start({ ...more, SVC_BOOTSTRAP_FILE: bootstrap })
    const { port } = await started.line('Listening')
    await started.line('Ready')
    const { token } = JSON.parse(await readFile(bootstrap, 'utf8'))
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        fetch(`http://127.0.0.1:${String(port)}/v1/accounts/me`, {
          headers: { authorization: `Bearer ${token}` },
        }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200))
    const names = await db
      .selectFrom('processes')
      .select(['process_id', 'connections'])
      .where('pid', '=', started.pid ?? 0)
      .execute()
    expect(names).toEqual([{ process_id: expect.any(String), connections: 20 + 8 + 1 + 12 }])
    return started.end()
  }

  test('an API works in session mode, as at the server itself', async () => {
    expect(await serves(poolers.session.url, {})).toBe(0)
  })

  test('an API works in transaction mode, with the address of the server beside it', async () => {
    const settings = { SVC_DATABASE_DIRECT_URL: database.connection_string, SVC_DB_PREPARED: 'false' }
    expect(await serves(poolers.transaction.url, settings)).toBe(0)
  })

  test.each([
    ['api', {}, 'DATABASE_URL leads to a pooler that pools transactions.'],
    ['api', { SVC_DB_PREPARED: 'false' }, 'DATABASE_URL leads to a pooler that pools transactions.'],
    ['api', { direct: 'pooler' }, 'SVC_DATABASE_DIRECT_URL leads to a pooler that pools transactions.'],
    [
      'api',
      { direct: 'server' },
      'DATABASE_URL leads to a pooler that pools transactions, and SVC_DB_PREPARED is true.',
    ],
    ['gateway', {}, 'DATABASE_URL leads to a pooler that pools transactions, and SVC_DB_PREPARED is true.'],
  ] as const)('%s with %j is refused in transaction mode', async (app, given, sentence) => {
    const { direct, ...settings } = { direct: undefined, ...given }
    const addresses = { pooler: poolers.transaction.url, server: database.connection_string }
    built = await builtApi(poolers.transaction.url)
    const started = built.start(
      { ...settings, ...(direct && { SVC_DATABASE_DIRECT_URL: addresses[direct] }) },
      app,
    )
    await started.said(`${sentence} ${remedy}`)
    expect(await started.ended).toBe(1)
  })

  test('the gateway holds no lock and does not listen: the pooled address is enough for it', async () => {
    built = await builtApi(poolers.transaction.url)
    const started = built.start({ SVC_DB_PREPARED: 'false' }, 'gateway')
    await started.line('Ready')
    expect(await started.end()).toBe(0)
  })

  test('migrate is refused in transaction mode', async () => {
    built = await builtApi(poolers.transaction.url)
    expect(await built.run(['migrate'])).toMatchObject({
      code: 1,
      err: `migrate: DATABASE_URL leads to a pooler that pools transactions. ${remedy}\n`,
    })
  })
})
