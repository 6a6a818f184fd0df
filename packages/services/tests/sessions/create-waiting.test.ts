import { randomUUID } from 'node:crypto'
import { sessionCreates, sessionPrompts, sessions } from '@svc/db'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  admitWaitingSessions,
  createSession,
  deleteSession,
  type getSession,
  getSession as readSession,
  stopSession,
} from '../../src/index.ts'
import { addOwner } from '../../src/testing/people.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { endOf } from '../support/replica.ts'
import { newSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const project = await makeProject(world)
const { project_id, ctx } = project
type Session = Awaited<ReturnType<typeof getSession>>
type Body = Parameters<typeof createSession>[1]['body']
const create = async (body: Body = {}, idempotency_key?: string): Promise<Session> => {
  const created = await createSession(ctx, { project_id, respond_async: false, idempotency_key, body })
  if (created.kind !== 'created') throw new Error(created.reason)
  return created.session
}

describe('creates that wait for room', () => {
  const make = async () => {
    const owner = await addOwner(world, 'free')
    const own = await makeProject(world, owner)
    const queue = (key?: string, body: Body = {}) =>
      createSession(own.ctx, {
        project_id: own.project_id,
        respond_async: true,
        idempotency_key: key,
        body,
      })
    const live = []
    for (let index = 0; index < 3; index += 1) live.push(await newSession(world, own))
    return { own, queue, live }
  }
  const idOf = (created: Awaited<ReturnType<typeof createSession>>) =>
    created.kind === 'queued' ? created.session_id : created.session.session_id
  const hurried = (own: { owner: { principal: Parameters<typeof world.as>[0] } }) =>
    world.as(own.owner.principal, { signal: AbortSignal.abort() })

  test('begin in the order in which they were asked for, and are not there before', async () => {
    const { own, queue, live } = await make()
    const key = randomUUID()
    const waiting = [
      await queue(key, { initial_prompt: 'first' }),
      await createSession(own.ctx, {
        project_id: own.project_id,
        respond_async: false,
        origin: 'trigger',
        body: { initial_prompt: 'fired' },
      }),
      await queue(),
    ]
    for (const each of waiting) expect(each).toMatchObject({ kind: 'queued', reason: 'session_limit' })
    const [first = '', second = '', third = ''] = waiting.map(idOf)
    const there = (session_id: string) =>
      endOf(readSession(own.ctx, { project_id: own.project_id, session_id }))
    expect(await there(first)).toBe('not_found')
    expect(await queue(key, { initial_prompt: 'first' })).toEqual(waiting[0])
    expect(await endOf(newSession(world, own, { session_id: first }))).toBe('session_limit_reached')

    expect(await admitWaitingSessions(world.base)).toBe(0)
    for (const session of live.slice(0, 2)) await stopSession(hurried(own), session.key)
    world.queue.drop()
    const rounds = await Promise.all([1, 2, 3].map(() => admitWaitingSessions(world.base)))
    expect(rounds.reduce((sum, each) => sum + each)).toBe(2)
    expect(world.queue.drop().filter(({ name }) => name === 'sandbox.provision')).toHaveLength(2)
    expect([await there(first), await there(second), await there(third)]).toEqual([
      'done',
      'done',
      'not_found',
    ])
    expect(await sessionPrompts.listPending(world.db, second)).toMatchObject([
      { text: 'fired', source: 'trigger' },
    ])
    expect(await queue(key, { initial_prompt: 'first' })).toMatchObject({
      kind: 'created',
      session: { session_id: first, status: 'provisioning' },
    })
  })

  test('one whose id was taken in the same moment is dropped, and keeps nobody else waiting', async () => {
    const { own, queue, live } = await make()
    const first = idOf(await queue())
    const {
      position: _,
      session,
      ...row
    } = await world.db
      .deleteFrom('session_creates')
      .where('session_id', '=', first)
      .returningAll()
      .executeTakeFirstOrThrow()
    await create({ session_id: first })
    // Two requests of two accounts leave both: neither sees what the other one writes.
    await sessionCreates.insert(world.db, { ...row, session: JSON.stringify(session) })
    const second = idOf(await queue())
    await stopSession(hurried(own), live[0]?.key ?? { project_id, session_id: '' })
    expect(await admitWaitingSessions(world.base)).toBe(1)
    const key = { project_id: own.project_id, session_id: second }
    expect(await readSession(own.ctx, key)).toMatchObject({ status: 'provisioning' })
  })

  test('one that cannot be made keeps no other account waiting', async () => {
    const both = [await make(), await make()]
    const waiting = new Map<string, string>()
    for (const { own, live, queue } of both) {
      waiting.set(own.owner.account_id, idOf(await queue()))
      if (live[0] !== undefined) await stopSession(hurried(own), live[0].key)
    }
    // Accounts are looked at in the order of their ids.
    const [lost = '', well = ''] = [...waiting].sort().map(([, session_id]) => session_id)
    const session = sql`jsonb_set(session, '{origin}', '"unheard"')`
    await sql`update session_creates set session = ${session} where session_id = ${lost}`.execute(world.db)
    await expect(admitWaitingSessions(world.base)).rejects.toThrow('project_sessions_origin_check')
    expect(await sessions.findById(world.db, well)).toMatchObject({ status: 'provisioning' })
    await world.db.deleteFrom('session_creates').where('session_id', '=', lost).execute()
    expect(await admitWaitingSessions(world.base)).toBe(0)
  })

  test('who comes later stands behind them, also when there is room; a deleted one never begins', async () => {
    const { own, queue, live } = await make()
    const first = idOf(await queue())
    for (const session of live) await stopSession(hurried(own), session.key)
    const second = await queue()
    expect(second).toMatchObject({ reason: 'session_limit' })
    await deleteSession(own.ctx, { project_id: own.project_id, session_id: first })
    expect(await admitWaitingSessions(world.base)).toBe(1)
    const seen = async (session_id: string) =>
      endOf(readSession(own.ctx, { project_id: own.project_id, session_id }))
    expect([await seen(first), await seen(idOf(second))]).toEqual(['not_found', 'done'])
  })
})

test('the account runs as many sessions as its tier allows, however many are asked for at once', async () => {
  const owner = await addOwner(world, 'free')
  const own = await makeProject(world, owner)
  const input = { project_id: own.project_id, respond_async: false, body: {} }
  const ends = await Promise.all(Array.from({ length: 8 }, () => endOf(createSession(own.ctx, input))))
  expect(ends.filter((end) => end === 'done')).toHaveLength(3)
  expect(new Set(ends)).toEqual(new Set(['done', 'session_limit_reached']))
  await expect(createSession(own.ctx, input)).rejects.toMatchObject({
    details: { limit: 3, retry_after: 30 },
  })

  const repeat = { ...input, idempotency_key: randomUUID() }
  const live = await world.db
    .selectFrom('project_sessions')
    .select('session_id')
    .where('project_id', '=', own.project_id)
    .execute()
  await world.queue.drain()
  world.queue.live = true
  await stopSession(own.ctx, { project_id: own.project_id, session_id: live[0]?.session_id ?? '' })
  // The last place goes to one session, however often a caller asks for it.
  const same = await Promise.all([1, 2, 3].map(() => endOf(createSession(own.ctx, repeat))))
  expect(same).toEqual(['done', 'done', 'done'])
  await world.queue.settled()
  world.queue.live = false
})

test('the operator may set another cap', async () => {
  const owner = await addOwner(world, 'free')
  const own = await makeProject(world, owner)
  const capped = world.as(owner.principal, { settings: { ...world.base.settings, session_cap: 1 } })
  await newSession(world, own, {}, capped)
  await expect(newSession(world, own, {}, capped)).rejects.toMatchObject({ code: 'session_limit_reached' })
})
