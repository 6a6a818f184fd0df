import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventPartitions, migrate, migrations, sessionEvents } from '../src/index.ts'
import { type EmptyDatabase, emptyDatabase } from '../src/testing/index.ts'

let empty: EmptyDatabase
beforeAll(async () => {
  empty = await emptyDatabase()
})
afterAll(() => empty.close())

const [project, person, session_id] = [randomUUID(), randomUUID(), randomUUID()]

/** Sessions of a project that is not there: the log asks for its session alone. */
async function addSession(id: string): Promise<void> {
  await empty.db.connection().execute(async (db) => {
    await sql`set session_replication_role = replica`.execute(db)
    await sql`insert into project_sessions
      (session_id, account_id, project_id, branch_name, base_ref, status, agent_name, agent_grant, merge_granted, origin,
       created_by, created_at, updated_at, provisioning_at)
      values (${id}, ${project}, ${project}, ${id}, 'main', 'provisioning', 'a', '[]', false, 'user', ${person},
       now(), now(), now())`.execute(db)
    await sql`set session_replication_role = origin`.execute(db)
  })
}

/** The statement of the release before, by a name that its connection keeps. */
const insert = {
  name: 'insert-event',
  text: `insert into session_events (session_id, seq, type, at, payload, event_id) values ($1, $2, 'x', now(), '{}', $3)`,
}

async function partitionOf(seq: number): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`select tableoid::regclass::text as name from session_events
    where session_id = ${session_id} and seq = ${seq}`.execute(empty.db)
  return rows[0]?.name
}

const fileOf = async (table: string) =>
  (await sql<{ file: number }>`select pg_relation_filenode(${table}) as file`.execute(empty.db)).rows[0]?.file

test('the log of before becomes the first month as it is, while a release of before writes on', async () => {
  const before = migrations.findIndex(({ name }) => name.endsWith('event-times'))
  await migrate(empty.connection_string, { migrations: migrations.slice(0, before) })
  await addSession(session_id)
  const writer = new pg.Client({ connectionString: empty.connection_string })
  await writer.connect()
  let seq = 0
  const write = () => writer.query({ ...insert, values: [session_id, (seq += 1), `event-${seq}`] })
  for (let written = 0; written < 500; written += 1) await write()
  const file = await fileOf('session_events')
  let done = false
  const writing = (async () => {
    while (!done) await write()
  })()
  await migrate(empty.connection_string)
  done = true
  await writing
  await write()
  await writer.end()

  expect(await fileOf('session_events_first')).toBe(file)
  const log = await sessionEvents.listAfter(empty.db, session_id, 0, 1_000_000)
  expect(log.map((event) => event.seq)).toEqual(Array.from({ length: seq }, (_, index) => index + 1))
  expect(await partitionOf(seq)).toBe('session_events_first')
  const change = sql`update session_events set type = 'y' where seq = 1`.execute(empty.db)
  await expect(change).rejects.toThrow('an event of a session never changes')
})

describe('months', () => {
  const list = async () =>
    (await empty.db.selectFrom('event_partitions').selectAll().orderBy('to_at').execute()).map(
      ({ name, state }) => `${name} ${state}`,
    )

  test('are made two ahead, once, and without a gap', async () => {
    const first = (await list()).length
    const last = await empty.db
      .selectFrom('event_partitions')
      .select((eb) => eb.fn.max('to_at').as('to_at'))
      .executeTakeFirstOrThrow()
    const later = new Date(last.to_at.getTime() + 1)
    const made = await Promise.all([1, 2, 3].map(() => eventPartitions.makeAhead(empty.db, later)))
    expect(made.sort()).toEqual([0, 0, 3])
    expect(await eventPartitions.makeAhead(empty.db, later)).toBe(0)
    expect(await list()).toHaveLength(first + 3)
    const { rows } = await sql<{ gaps: number }>`select count(*)::integer as gaps from event_partitions p
      where from_at <> '-infinity' and not exists (select from event_partitions q where q.to_at = p.from_at)`.execute(
      empty.db,
    )
    expect(rows).toEqual([{ gaps: 0 }])
  })

  test('that came too late take over what the default partition holds', async () => {
    const at = new Date('2031-05-03T00:00:00Z')
    const seq = 9_000_000
    await sql`insert into session_events (session_id, seq, type, at, payload, stored_at)
      values (${session_id}, ${seq}, 'x', now(), '{}', ${at})`.execute(empty.db)
    expect(await partitionOf(seq)).toBe('session_events_default')
    await eventPartitions.makeAhead(empty.db, at)
    expect(await partitionOf(seq)).toBe('session_events_2031_05')
    expect((await list()).at(-1)).toBe('session_events_2031_07 open')
  })
})

test('a report that two processes repeat at once is in the log once', async () => {
  const other = randomUUID()
  await addSession(other)
  const event = { type: 'message', at: new Date(), payload: {}, event_id: 'the-same' }
  await Promise.all(
    Array.from({ length: 8 }, () =>
      sessionEvents.append(empty.db, other, [event, { ...event, event_id: randomUUID() }]),
    ),
  )
  const log = await sessionEvents.listAfter(empty.db, other, 0, 100)
  expect(log.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(log.filter(({ event_id }) => event_id === 'the-same')).toHaveLength(1)
})

test('a session that is removed takes its events of every month along', async () => {
  await sql`delete from project_sessions where session_id = ${session_id}`.execute(empty.db)
  expect(await sessionEvents.listAfter(empty.db, session_id, 0, 10)).toEqual([])
})
