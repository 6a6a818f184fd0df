import { randomUUID } from 'node:crypto'
import { sessionEvents, sessions, spendDays } from '@svc/db'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { getChangeRequest, getSession, listSessions, reportTurnStream } from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession, runningSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const project = await makeProject(world)
const { project_id, account_id, ctx } = project
const none = { calls: 0, input_tokens: 0, output_tokens: 0, cost_micros: 0, unpriced_calls: 0 }

/** A call of the session that has ended. */
async function call(session_id: string, cost_micros: number | null, status = 'settled', at = new Date()) {
  await sql`insert into gateway_calls (call_id, at, account_id, project_id, session_id, token_id, dialect, status, live,
      streamed, input_tokens, output_tokens, cost_micros)
    values (${randomUUID()}, ${at}, ${account_id}, ${project_id}, ${session_id}, ${randomUUID()}, 'chat', ${status},
      false, true, 100, 10, ${cost_micros})`.execute(world.db)
}

test('the record of a session has its calls, those that only their days are kept of as well', async () => {
  const [session, other] = [await newSession(world, project), await newSession(world, project)]
  expect(await getSession(ctx, session.key)).toMatchObject({ usage: none })
  await call(session.session_id, 70, 'settled', new Date('2025-01-01'))
  await call(session.session_id, 30)
  await call(session.session_id, null)
  await call(session.session_id, 0, 'refused')
  const usage = { calls: 3, input_tokens: 300, output_tokens: 30, cost_micros: 100, unpriced_calls: 1 }
  expect(await getSession(ctx, session.key)).toMatchObject({ usage })
  await spendDays.sumUp(world.db, new Date('2025-06-01'), 10)
  expect(await getSession(ctx, session.key)).toMatchObject({ usage })
  const page = await listSessions(ctx, { project_id, limit: 10 })
  expect(page.kind === 'page' && page.sessions.map((row) => [row.session_id, row.usage])).toEqual(
    expect.arrayContaining([
      [session.session_id, usage],
      [other.session_id, none],
    ]),
  )
})

test('a page of sessions is another one once a call of them has ended', async () => {
  const session = await newSession(world, project)
  const { etag } = await listSessions(ctx, { project_id, limit: 10 })
  const again = () => listSessions(ctx, { project_id, limit: 10, if_none_match: etag })
  expect(await again()).toMatchObject({ kind: 'unchanged' })
  await call(session.session_id, 5)
  expect(await again()).toMatchObject({ kind: 'page' })
})

test('a change request has the cost of the session whose branch it is', async () => {
  const session = await newSession(world, project)
  await call(session.session_id, 70)
  const cr = await project.propose(session.session_id, { 'a.txt': 'a' }, { session_id: session.session_id })
  expect(await getChangeRequest(ctx, { project_id, cr: String(cr.number) })).toMatchObject({
    change_request: { cr_id: cr.cr_id },
    cost: { calls: 1, input_tokens: 100, output_tokens: 10, cost_micros: 70, unpriced_calls: 0 },
  })
  const by_hand = await project.propose('by-hand')
  expect(await getChangeRequest(ctx, { project_id, cr: String(by_hand.number) })).toMatchObject({
    cost: none,
  })
})

test('an event of usage tells the cost of the rows that came since the last, and else what the runtime said', async () => {
  const session = await runningSession(world, project)
  const daemon = await session.daemon()
  const { session_id } = session
  const report = (...costs: (number | null)[]) =>
    reportTurnStream(daemon, {
      ...session.key,
      kind: 'events',
      events: costs.map((cost_usd) => ({
        event_id: randomUUID(),
        type: 'usage' as const,
        at: world.clock.now().toISOString(),
        payload: { input_tokens: 1, output_tokens: 1, cost_usd },
      })),
    })
  await report(0.25, null)
  await call(session_id, 1_500)
  await report(0)
  await report(0)
  await call(session_id, 10)
  await call(session_id, 15)
  await report(0, 0)
  const told = (await sessionEvents.listAfter(world.db, session_id, 0, 100))
    .filter(({ type }) => type === 'usage')
    .map(({ payload }) => [payload['cost_usd'], payload['cost_micros']])
  expect(told).toEqual([
    [0.25, 250_000],
    [null, undefined],
    [0.0015, 1_500],
    [0, 0],
    [0, 0],
    [0.000025, 25],
  ])
  expect((await sessions.findById(world.db, session_id))?.cost_micros).toBe(251_525)
})

test('an event that is reported twice tells its cost once', async () => {
  const session = await runningSession(world, project)
  const daemon = await session.daemon()
  const event = {
    event_id: randomUUID(),
    type: 'usage' as const,
    at: world.clock.now().toISOString(),
    payload: { input_tokens: 1, output_tokens: 1, cost_usd: 0 },
  }
  const report = () => reportTurnStream(daemon, { ...session.key, kind: 'events' as const, events: [event] })
  await call(session.session_id, 40)
  await report()
  await call(session.session_id, 60)
  await report()
  expect((await sessions.findById(world.db, session.session_id))?.cost_micros).toBe(40)
})
