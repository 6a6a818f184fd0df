import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, DatabaseListener, notify, notifyLater } from '../src/index.ts'
import { type TestDatabase, testDatabase } from '../src/testing/index.ts'

let database: TestDatabase
let listener: DatabaseListener
const name = 'listen-test'
beforeAll(async () => {
  database = await testDatabase()
  listener = new DatabaseListener(database.connection_string, { application_name: name })
})
afterAll(async () => {
  await listener?.close()
  await database?.close()
})

const connections = async () =>
  (
    await sql<{ pid: number; query: string }>`select pid, query from pg_stat_activity
      where application_name = ${name}`.execute(database.db)
  ).rows
const patient = { timeout: 20_000, interval: 20 }

test('there is no connection before the first handler, one for all, and a channel is heard once it is asked for', async () => {
  expect(await connections()).toEqual([])
  const heard: unknown[] = []
  const stop = listener.subscribe('session', (payload) => heard.push(payload), 'a')
  // Told once that messages from before are missed: from then on none is.
  await expect.poll(() => heard, patient).toEqual([null])
  expect(await connections()).toMatchObject([{ query: 'listen svc_session' }])

  const merges: unknown[] = []
  listener.subscribe('merge', (payload) => merges.push(payload))
  await expect.poll(() => merges, patient).toEqual([null])
  expect(await connections()).toMatchObject([{ query: 'listen svc_merge' }])

  await notify(database.db, 'session', { session_id: 'b' })
  await notify(database.db, 'session', { session_id: 'a' })
  await notify(database.db, 'merge', { attempt_id: 'm' })
  await expect.poll(() => merges, patient).toEqual([null, { attempt_id: 'm' }])
  expect(heard).toEqual([null, { session_id: 'a' }])

  const [connection] = await connections()
  await sql`select pg_terminate_backend(${connection?.pid}::integer)`.execute(database.db)
  await expect.poll(() => merges.length, patient).toBe(3)
  await expect.poll(() => heard.length, patient).toBe(3)
  await notify(database.db, 'session', { session_id: 'a' })
  await expect.poll(() => heard, patient).toEqual([null, { session_id: 'a' }, null, { session_id: 'a' }])
  stop()
  await notify(database.db, 'session', { session_id: 'a' })
  await notify(database.db, 'merge', { attempt_id: 'n' })
  await expect.poll(() => merges.at(-1), patient).toEqual({ attempt_id: 'n' })
  expect(heard).toHaveLength(4)
})

test('a message is sent after a commit without waiting, once for all who ask meanwhile, and a database that is away is no error', async () => {
  const channel_ids: string[] = []
  const stop = listener.subscribe('channel', (payload) => channel_ids.push(payload?.channel_id ?? 'missed'))
  await expect.poll(() => channel_ids, patient).toEqual(['missed'])
  const url = new URL(database.connection_string)
  url.searchParams.set('options', '-c synchronous_commit=on')
  const db = createDatabase(url.href)
  for (let n = 0; n < 100; n += 1)
    for (const channel_id of ['a', 'b']) notifyLater(db, 'channel', { channel_id })
  // The first one goes out alone; those that are asked for meanwhile follow together.
  await expect.poll(() => channel_ids.toSorted(), patient).toEqual(['a', 'a', 'b', 'missed'])
  notifyLater(db, 'channel', { channel_id: 'c' })
  await expect.poll(() => channel_ids.at(-1), patient).toBe('c')
  expect(channel_ids).toHaveLength(5)
  const { rows } = await sql<{ set: string }>`select current_setting('synchronous_commit') as set`.execute(db)
  expect(rows).toEqual([{ set: 'on' }])
  stop()

  await db.destroy()
  notifyLater(db, 'channel', { channel_id: 'a' })
  notifyLater(db, 'channel', { channel_id: 'b' })
  await notify(database.db, 'channel', { channel_id: 'd' })
})
