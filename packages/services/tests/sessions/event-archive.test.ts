import { readdir, rename } from 'node:fs/promises'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import {
  deleteSession,
  getSessionTranscript,
  getSessionTranscriptText,
  listSessionEvents,
  openSessionEvents,
  reportTurnStream,
  stopSession,
  sweepEventArchive,
  sweepOldRecords,
} from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { runningSession, type TestSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'
import { put, putOpen, storeAt } from '../support/stored-events.ts'
import { done, killed, killedAt, runProgram } from '../support/step.ts'

const world = await openWorld({ session_cap: 100 })
const project = await makeProject(world)
const { ctx } = project
const dayMs = 24 * 3_600_000
const addDays = (at: Date, days: number) => new Date(at.getTime() + days * dayMs)
const objects_dir = `${world.objects_dir}/events`

const ages = { hot_ms: 30 * dayMs, archive_ms: 0, window_ms: 7 * dayMs }
const sweep = (of: Partial<typeof ages> = {}) => sweepEventArchive(world.worker(), { ...ages, ...of })
/** The first of a month: months are the database's, whose clock is not the test's. */
const month = async (ahead: number) => {
  const { rows } = await sql<{ at: Date }>`
    select (date_trunc('month', to_at at time zone 'UTC') + make_interval(months => ${ahead})) at time zone 'UTC' as at
    from event_partitions where name = 'session_events_first'`.execute(world.db)
  return rows[0]?.at ?? new Date(0)
}

async function stream(session: TestSession, after: number, count: number): Promise<unknown[]> {
  const client = new AbortController()
  const reader = world.as(project.owner.principal, { signal: client.signal })
  const seen: unknown[] = []
  for await (const event of await openSessionEvents(reader, { ...session.key, after })) {
    seen.push(event)
    if (seen.length === count) client.abort()
  }
  return seen
}

async function pages(session: TestSession, limit: number): Promise<string[]> {
  const seen: string[] = []
  for (let after = 0; ;) {
    const page = await listSessionEvents(ctx, { ...session.key, after, limit })
    seen.push(...page.events.map((event) => JSON.stringify(event)))
    after = page.events.at(-1)?.seq ?? after
    if (page.events.length < limit) return seen
  }
}

/** Everything that a client sees of a log, byte for byte. */
async function seenOf(session: TestSession): Promise<string> {
  const { last_event_seq: last } = await session.row()
  const late = Math.max(0, last - 60)
  return JSON.stringify([
    await pages(session, 200),
    await pages(session, 37),
    await getSessionTranscript(ctx, session.key),
    await getSessionTranscriptText(ctx, session.key),
    await stream(session, 0, last),
    await stream(session, late, last - late),
  ])
}

/** The time goes on, and what the platform stores is of that time. */
async function pass(days: number): Promise<void> {
  world.clock.advance(days * dayMs)
  await storeAt(world.db, world.clock.now())
}

const run = (stop_at = '') =>
  runProgram(new URL('../support/run-archive.ts', import.meta.url), [
    world.connection_string,
    world.objects_dir,
    world.clock.now().toISOString(),
    stop_at,
  ])

const stateOf = async (name: string) =>
  (await world.db.selectFrom('event_partitions').select('state').where('name', '=', name).executeTakeFirst())
    ?.state
const archives = () =>
  world.db.selectFrom('event_archives').selectAll().orderBy('session_id').orderBy('first_seq').execute()
const stored = () => readdir(objects_dir).catch(() => [])
const waitsForLock = async () => {
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(world.db)
  return rows[0]?.n
}

let long: TestSession
let short: TestSession
let third: TestSession
let seen: readonly string[]
const look = () => Promise.all([long, short, third].map(seenOf))

beforeAll(async () => {
  ;[long, short, third] = [
    await runningSession(world, project),
    await runningSession(world, project),
    await runningSession(world, project),
  ]
  // 28 days after the second month is over it is not sealed yet, whichever months these are.
  const [first, second, hot] = [await month(-1), await month(0), addDays(await month(1), 28)]
  await pass((hot.getTime() - world.clock.now().getTime()) / dayMs)
  await put(world.db, long, 2_500, first)
  await put(world.db, short, 30, first)
  await putOpen(world.db, short, first)
  for (const at of [first, second, hot]) await put(world.db, third, 20, at)
  await put(world.db, long, 150, second)
  await put(world.db, long, 40, hot)
  seen = await look()
})

describe('a month that is over', () => {
  test.each(['before an object is stored', 'after an object is stored', 'while it is read back'])(
    'whose sealing is killed %s is as it was',
    async (step) => {
      await killedAt(run(step), step)
      expect([await stateOf('session_events_first'), await archives()]).toEqual(['sealing', []])
      expect(await look()).toEqual(seen)
    },
  )

  test('whose sealing is killed at its transaction is as it was', async () => {
    await world.db.transaction().execute(async (tx) => {
      await sql`lock table event_archives in share mode`.execute(tx)
      const child = await run()
      await vi.waitFor(async () => expect(await waitsForLock()).toBe(1), 180_000)
      await killed(child)
    })
    await vi.waitFor(async () => expect(await waitsForLock()).toBe(0))
    expect([await stateOf('session_events_first'), await archives()]).toEqual(['sealing', []])
    expect(await look()).toEqual(seen)
  })

  test('is sealed once by two runners, under the same names, without a gap, each piece after the one before', async () => {
    const names = await stored()
    await Promise.all([done(run()), done(run())])
    expect(await sweep()).toBe(0)
    expect(await stored()).toEqual(names)
    expect(await stateOf('session_events_first')).toBe('sealed')
    const pieces = await archives()
    for (const session of [long, short, third]) {
      const own = pieces.filter(({ session_id }) => session_id === session.session_id)
      expect(own[0]?.first_seq).toBe(1)
      for (const [index, piece] of own.entries()) {
        expect(piece.prev_sha256).toBe(own[index - 1]?.sha256 ?? null)
        if (index > 0) expect(piece.first_seq).toBe((own[index - 1]?.last_seq ?? 0) + 1)
      }
    }
    expect(pieces.filter(({ session_id }) => session_id === long.session_id).length).toBeGreaterThan(1)
    expect(await look()).toEqual(seen)
  })

  test('is read from the archive: while that is away old events are refused, and live ones go on', async () => {
    const archived = (await archives()).filter(({ session_id }) => session_id === long.session_id)
    const after = archived.at(-1)?.last_seq ?? 0
    await rename(world.objects_dir, `${world.objects_dir}-away`)
    const refused = { code: 'archive_unavailable', details: { retry_after: 30 } }
    const old = { ...long.key, after: after - 1, limit: 10 }
    await expect(listSessionEvents(ctx, old)).rejects.toMatchObject(refused)
    await expect(openSessionEvents(ctx, old)).rejects.toMatchObject(refused)
    await expect(getSessionTranscript(ctx, long.key)).rejects.toMatchObject(refused)
    expect((await listSessionEvents(ctx, { ...old, after })).events).toHaveLength(10)
    const live = stream(long, after, 191)
    const report = { kind: 'events' as const, ...long.key }
    const at = world.clock.now().toISOString()
    await reportTurnStream(await long.daemon(), {
      ...report,
      events: [{ type: 'message', at, payload: {}, event_id: 'live' }],
    })
    expect(await live).toHaveLength(191)
    await rename(`${world.objects_dir}-away`, world.objects_dir)
    seen = await look()
  })

  test('whose removal from the database is killed is sealed, and goes with the next run', async () => {
    await pass(6)
    await sweep()
    expect(await stateOf('session_events_first')).toBe('sealed')
    await pass(2)
    await world.db.transaction().execute(async (tx) => {
      await sql`select from session_events limit 1`.execute(tx)
      const child = await run()
      await vi.waitFor(async () => expect(await waitsForLock()).toBe(1), 180_000)
      await killed(child)
      // PostgreSQL goes on waiting for it until its time is over, and would drop the month if it came to the lock before.
      await vi.waitFor(async () => expect(await waitsForLock()).toBe(0), 180_000)
    })
    expect(await stateOf('session_events_first')).toBe('sealed')
    await Promise.all([done(run()), done(run())])
    expect(await stateOf('session_events_first')).toBe('dropped')
    expect(await sql`select to_regclass('session_events_first') as name`.execute(world.db)).toMatchObject({
      rows: [{ name: null }],
    })
    expect(await look()).toEqual(seen)
  })

  test('is asked no more by what writes: what was open ends, and what is told again is known', async () => {
    const before = await long.row()
    const event = { type: 'message' as const, at: (await month(-1)).toISOString(), payload: {} }
    const repeated = ['e9', 'e2000'].map((event_id) => ({ ...event, event_id }))
    const report = { kind: 'events' as const, ...long.key }
    await reportTurnStream(await long.daemon(), { ...report, events: repeated })
    expect((await long.row()).last_event_seq).toBe(before.last_event_seq)
    await reportTurnStream(await long.daemon(), { ...report, events: [{ ...event, event_id: 'late' }] })
    expect((await long.row()).last_event_seq).toBe(before.last_event_seq + 1)

    await rename(world.objects_dir, `${world.objects_dir}-away`)
    const { last_event_seq } = await short.row()
    // Nothing works on the queue: a caller who leaves waits for nothing.
    await stopSession({ ...ctx, signal: AbortSignal.abort() }, short.key)
    await rename(`${world.objects_dir}-away`, world.objects_dir)
    const { events } = await listSessionEvents(ctx, { ...short.key, after: last_event_seq, limit: 10 })
    expect(events.filter(({ type }) => type !== 'status')).toMatchObject([
      { type: 'question', request_id: 'q', state: 'expired' },
      { type: 'turn', prompt_id: 'p', state: 'end', status: 'interrupted' },
    ])
  })
})

const objectRows = () => world.db.selectFrom('archive_objects').select(['object_key', 'unnamed_at']).execute()

test('old months go after the days that they are kept, and logs begin with what is left', async () => {
  // Only what backups do not need any more is out of the database, and can go.
  await pass(8)
  await sweep()
  const cut = addDays(await month(1), 1).getTime()
  const gone = await archives()
  const last = gone.filter(({ session_id }) => session_id === third.session_id).at(-1)?.last_seq ?? 0
  await sweep({ archive_ms: world.clock.now().getTime() - cut })
  const page = await listSessionEvents(ctx, { ...third.key, after: 0, limit: 5 })
  expect(page).toMatchObject({ first_seq: last + 1, events: [{ seq: last + 1 }, {}, {}, {}, {}] })
  expect((await stream(third, 3, 1))[0]).toMatchObject({ id: last + 1 })
  expect((await getSessionTranscript(ctx, third.key)).messages.length).toBeGreaterThan(0)
})

test('an object goes with the last piece that names it, once no backup can, whenever its removal is killed', async () => {
  const names = await stored()
  expect((await objectRows()).filter(({ unnamed_at }) => unnamed_at !== null)).toHaveLength(names.length)
  await pass(6)
  await sweep()
  expect(await stored()).toEqual(names)
  await pass(2)
  for (const step of ['before an object is removed', 'after an object is removed']) {
    await killedAt(run(step), step)
  }
  await Promise.all([done(run()), done(run())])
  expect(await stored()).not.toEqual(expect.arrayContaining(names))
  expect(new Set((await objectRows()).map(({ object_key }) => object_key))).toEqual(
    new Set((await stored()).map((name) => `events/${name}`)),
  )
})

test('a session that is removed takes its pieces along, and the others keep theirs', async () => {
  await pass(90)
  await sweep()
  const own = (pieces: Awaited<ReturnType<typeof archives>>, { session_id }: TestSession) =>
    pieces.filter((piece) => piece.session_id === session_id)
  const before = await archives()
  expect(own(before, long).length).toBeGreaterThan(0)
  await deleteSession(ctx, long.key)
  await world.queue.drain()
  await pass(31)
  const kept = { SVC_AUDIT_DAYS: 0, SVC_SECRET_ACCESS_DAYS: 0, SVC_WORK_HISTORY_DAYS: 0 }
  expect(await sweepOldRecords(world.worker(), { ...kept, SVC_DELETED_SESSION_DAYS: 30 })).toBe(1)
  const after = await archives()
  expect(own(after, long)).toEqual([])
  expect(own(after, third)).toEqual(own(before, third))
  expect((await listSessionEvents(ctx, { ...third.key, after: 0, limit: 5 })).events).toHaveLength(5)
})
