import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase, sessionEvents } from '@svc/db'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  listSessionEvents,
  openSessionEvents,
  reportTurnStream,
  type StreamedEvent,
} from '../../src/index.ts'
import { addMember } from '../../src/testing/people.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession, runningSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const project = await makeProject(world)

/** Reads until `enough`, as a client that then goes away. */
async function read(
  session: { readonly key: { readonly project_id: string; readonly session_id: string } },
  after: number,
  enough: (seen: readonly StreamedEvent[]) => boolean,
): Promise<StreamedEvent[]> {
  const client = new AbortController()
  const ctx = world.as(project.owner.principal, { signal: client.signal })
  const seen: StreamedEvent[] = []
  for await (const event of await openSessionEvents(ctx, { ...session.key, after })) {
    seen.push(event)
    if (enough(seen)) client.abort()
  }
  return seen
}
const ids = (events: readonly StreamedEvent[]) => events.flatMap((event) => event.id ?? [])

test('readers follow writers of other processes without a gap or a double, and resume where they were', async () => {
  const session = await newSession(world, project)
  const total = 601
  const whole = Array.from({ length: total }, (_, index) => index + 1)
  const from_start = [1, 2, 3].map(() => read(session, 0, (seen) => ids(seen).at(-1) === total))
  // This one goes and comes again, many times, with the last id that it has seen.
  const resuming = (async () => {
    const seen: number[] = []
    while (seen.at(-1) !== total) {
      const more = await read(
        session,
        seen.at(-1) ?? 0,
        (part) => part.length >= 40 || ids(part).at(-1) === total,
      )
      seen.push(...ids(more))
    }
    return seen
  })()

  const processes = [1, 2, 3].map(() => createDatabase(world.connection_string, { max: 2 }))
  await Promise.all(
    processes.map(async (db, writer) => {
      for (let batch = 0; batch < 50; batch += 1) {
        const events = [1, 2, 3, 4].map((n) => ({
          type: 'message',
          at: world.clock.now(),
          payload: { writer, batch, n },
        }))
        await sessionEvents.append(db, session.session_id, events)
      }
      await db.destroy()
    }),
  )
  for (const reader of from_start) expect(ids(await reader)).toEqual(whole)
  expect(await resuming).toEqual(whole)
})

test('a reader whose process loses its LISTEN connection misses nothing', async () => {
  const session = await newSession(world, project)
  let last = 0
  const reading = read(session, 0, (seen) => {
    last = ids(seen).at(-1) ?? 0
    return last === 3
  })
  const append = () =>
    sessionEvents.append(world.db, session.session_id, [
      { type: 'message', at: world.clock.now(), payload: {} },
    ])
  await append()
  while (last < 2) await new Promise((resolve) => setImmediate(resolve))
  const cut = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ilike 'listen %'`.execute(world.db)
  expect(cut.rows).toHaveLength(1)
  await append()
  expect(ids(await reading)).toEqual([1, 2, 3])
})

test('a crowd that follows one session reads what is added once', async () => {
  const session = await newSession(world, project)
  let reads = 0
  const db = world.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      reads += 1
      return result
    },
  })
  const client = new AbortController()
  setMaxListeners(0, client.signal)
  const ctx = world.as(project.owner.principal, { db, signal: client.signal })
  const seen = new Array<number>(50).fill(0)
  const following = seen.map(async (_, n) => {
    for await (const { id } of await openSessionEvents(ctx, { ...session.key, after: 0 })) seen[n] = id ?? 0
  })
  const allAt = (seq: number) => expect.poll(() => seen.every((one) => one === seq)).toBe(true)
  await allAt(1)
  const quiet = async () => {
    const before = reads
    await sleep(500)
    return reads === before
  }
  await expect.poll(quiet).toBe(true)
  for (const seq of [2, 3, 4]) {
    reads = 0
    await sessionEvents.append(world.db, session.session_id, [
      { type: 'message', at: world.clock.now(), payload: {} },
    ])
    await allAt(seq)
    expect(reads).toBeLessThanOrEqual(4)
  }
  client.abort()
  await Promise.all(following)
})

test('deltas are streamed and not stored', async () => {
  const session = await runningSession(world, project)
  const daemon = await session.daemon()
  const { last_event_seq } = await session.row()
  const reading = read(session, 0, (seen) => seen.some((event) => event.event.done === true))
  const delta = (text: string, done: boolean) =>
    reportTurnStream(daemon, {
      ...session.key,
      kind: 'events',
      events: [
        { event_id: text, type: 'message.delta', at: '2026-03-01T10:00:00Z', payload: { text, done } },
      ],
    })
  await delta('x'.repeat(9000), false)
  // A reader who listens hears it; a delta before that is of the past.
  const timer = setInterval(() => void delta('Hel', true), 20)
  const seen = await reading
  clearInterval(timer)
  expect(seen[0]).toMatchObject({ id: 1, event: { type: 'status', seq: 1 } })
  expect(seen.at(-1)).toMatchObject({
    id: null,
    event: { type: 'message.delta', text: 'Hel', seq: last_event_seq },
  })
  expect(await session.row()).toMatchObject({ last_event_seq })
})

test('pieces of a text are gathered, and come before the message that they are of', async () => {
  const session = await runningSession(world, project)
  const sent: unknown[] = []
  const handlers = new Set<(message: Readonly<Record<string, unknown>>) => void>()
  const pubsub = {
    publish: async (messages: readonly (readonly [string, Readonly<Record<string, unknown>>])[]) => {
      for (const [topic, message] of messages) {
        sent.push([topic, message])
        for (const handler of handlers) handler(message)
      }
    },
    subscribe: (_: string, handler: (message: Readonly<Record<string, unknown>>) => void) => {
      handlers.add(handler)
      return () => handlers.delete(handler)
    },
    close: () => undefined,
  }
  const daemon = { ...(await session.daemon()), pubsub }
  const report = (
    events: readonly {
      readonly type: 'message' | 'message.delta' | 'tool.delta'
      readonly payload: object
    }[],
  ) =>
    reportTurnStream(daemon, {
      ...session.key,
      kind: 'events',
      events: events.map((event, index) => ({
        ...{ ...event, payload: { ...event.payload }, event_id: `${Math.random()}:${index}` },
        at: '2026-03-01T10:00:00Z',
      })),
    })
  const piece = (message_id: string, delta: string) =>
    ({ type: 'message.delta', payload: { message_id, delta } }) as const
  const printed = (output: string) =>
    ({ type: 'tool.delta', payload: { message_id: 'm1', call_id: 'c', output } }) as const
  await report([piece('m1', 'He'), piece('m1', 'll')])
  await report([piece('m1', 'o'), piece('m2', 'An')])
  expect(sent).toEqual([])
  await report([piece('m2', 'swer'), { type: 'message', payload: { message_id: 'm1', text: 'Hello' } }])
  const topic = `delta:${session.session_id}`
  expect(sent).toEqual([
    [topic, { message_id: 'm1', delta: 'Hello' }],
    [topic, { message_id: 'm2', delta: 'Answer' }],
  ])
  const owner = world.as(project.owner.principal, { pubsub })
  const { last_event_seq: after } = await session.row()
  const events = (await openSessionEvents(owner, { ...session.key, after }))[Symbol.asyncIterator]()
  const next = events.next()
  await expect.poll(() => handlers.size).toBe(1)
  await report([piece('m3', 'late')])
  expect(await next).toMatchObject({ value: { id: null, event: { message_id: 'm3', delta: 'late' } } })
  await report([printed('one'), printed('one\ntwo')])
  expect(await events.next()).toMatchObject({
    value: { id: null, event: { type: 'tool.delta', call_id: 'c', output: 'one\ntwo' } },
  })
  expect((await session.row()).last_event_seq).toBe(after)
  await events.return?.()
  expect(handlers.size).toBe(0)
})

test('a page of the log', async () => {
  const session = await newSession(world, project)
  const events = Array.from({ length: 5 }, (_, index) => ({
    type: 'message',
    at: world.clock.now(),
    payload: { index },
  }))
  await sessionEvents.append(world.db, session.session_id, events)
  const page = await listSessionEvents(project.ctx, { ...session.key, after: 2, limit: 2 })
  expect(page).toMatchObject({ last_seq: 6, events: [{ seq: 3, type: 'message', index: 1 }, { seq: 4 }] })
})

test('who may follow', async () => {
  const session = await newSession(world, project)
  const viewer = world.as((await addMember(world, project, 'viewer')).principal)
  expect((await listSessionEvents(viewer, { ...session.key, after: 0, limit: 9 })).events).toHaveLength(1)
  const stranger = world.as((await addMember(world, project, null)).principal)
  await expect(openSessionEvents(stranger, { ...session.key, after: 0 })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('a stream cannot be resumed from an event that is not there yet', async () => {
  const session = await newSession(world, project)
  const owner = world.as(project.owner.principal)
  const { last_event_seq } = await session.row()
  await expect(openSessionEvents(owner, { ...session.key, after: last_event_seq + 1 })).rejects.toMatchObject(
    {
      code: 'invalid_request',
      message: expect.stringContaining(`last event is ${last_event_seq}`),
    },
  )
  const abort = new AbortController()
  const resumed = { ...owner, signal: abort.signal }
  await openSessionEvents(resumed, { ...session.key, after: last_event_seq })
  abort.abort()
})
