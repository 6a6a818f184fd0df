import { randomUUID } from 'node:crypto'
import { changeRequests, connectorApprovals, merges, sessionAsks, sessions, triggerCatalogues } from '@svc/db'
import { catalogue, type EventType, eventTypes } from '@svc/event'
import { closeChangeRequest, deleteSession, reopenChangeRequest, requestChanges } from '@svc/services'
import { declare, fireAll, makeProject, newSession, openWorld, projectWith } from '@svc/services/testing'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'

const world = await openWorld()
const seen = new Set<string>()

/** Types and data of the events of a project, oldest first; each has the shape of the catalogue and nothing more. */
async function eventsOf(project_id: string) {
  const rows = await world.db
    .selectFrom('platform_events')
    .selectAll()
    .where('project_id', '=', project_id)
    .orderBy('position')
    .execute()
  return rows.map(({ type, data, event_id, seq }) => {
    expect(event_id).toMatch(/^evt_[a-z2-7]{26}$/)
    expect(seq).toBeNull()
    expect(eventTypes).toContain(type)
    const { data: shape } = catalogue[type as EventType]
    expect(shape.strict().parse(data), type).toEqual(data)
    seen.add(type)
    return { type, data }
  })
}
const typesOf = async (project_id: string) => (await eventsOf(project_id)).map(({ type }) => type)

// Those of apps are seen where apps are released.
const elsewhere = (type: string) => type === 'ping' || type.startsWith('app.')
afterAll(() => expect([...seen].sort()).toEqual(eventTypes.filter((type) => !elsewhere(type)).sort()))

test('the life of a session, its turns and what its agent asks', async () => {
  const project = await makeProject(world)
  const session = await newSession(world, project, { initial_prompt: 'Begin' })
  await world.queue.drain()
  const { session_id } = session
  await world.db
    .updateTable('session_prompts')
    .set({ state: 'running' })
    .where('session_id', '=', session_id)
    .execute()
  await world.db
    .updateTable('session_prompts')
    .set({ state: 'done' })
    .where('session_id', '=', session_id)
    .execute()
  const payload = { request_id: 'r1', state: 'asked', questions: [] }
  await world.db
    .transaction()
    .execute((tx) =>
      sessionAsks.record(tx, session_id, [{ type: 'question', at: world.clock.now(), payload }]),
    )
  await sessions.apply(world.db, session_id, 'stop', { stop_reason: 'user' }, world.clock.now())
  const failure = { category: 'gone', message: 'gone', retryable: true } as const
  await sessions.apply(world.db, session_id, 'fail', { failure }, world.clock.now())
  await deleteSession(project.ctx, session.key)
  const events = await eventsOf(project.project_id)
  expect(events.map(({ type }) => type)).toEqual([
    'session.created',
    'session.running',
    'session.turn_ended',
    'session.waiting',
    'session.stopped',
    'session.failed',
    'session.deleted',
  ])
  expect(events[0]?.data).toMatchObject({ session_id, status: 'provisioning', origin: 'user' })
  expect(events[2]?.data).toMatchObject({ outcome: 'done' })
  expect(events[3]?.data).toMatchObject({ request_id: 'r1', ask: 'question' })
  expect(events[5]?.data).toMatchObject({ status: 'failed', failure_category: 'gone' })
})

test('a session that is not shown, of the monitors of a project, is not one of these', async () => {
  const project = await makeProject(world)
  const session = await newSession(world, project)
  await sql`update project_sessions set requested = requested || '{"monitors": true}'
    where session_id = ${session.session_id}`.execute(world.db)
  await world.queue.drain()
  expect(await typesOf(project.project_id)).toEqual(['session.created'])
})

test('the life of a change request', async () => {
  const project = await makeProject(world)
  const { project_id } = project
  const { cr_id } = await project.propose('work')
  const key = { project_id, cr: '1' }
  await requestChanges(project.ctx, { ...key, feedback: 'Please' })
  await closeChangeRequest(project.ctx, key)
  await reopenChangeRequest(project.ctx, key)
  const [attempt_id, sha] = [randomUUID(), 'a'.repeat(40)]
  await merges.insertAttempt(world.db, {
    ...{ attempt_id, cr_id, project_id, requested_by: project.owner.user_id, message: null },
    ...{ expected_head_sha: null, expected_base_sha: null, created_at: world.clock.now(), finished_at: null },
  })
  const outcome = { code: 'MERGE_CONFLICT', message: 'no', details: {} }
  await merges.finishAttempt(world.db, attempt_id, { event: 'refuse', outcome }, world.clock.now())
  await changeRequests.apply(
    world.db,
    cr_id,
    'merge',
    { merged_by: project.owner.user_id, merge_commit_sha: sha, head_commit_sha: sha, base_commit_sha: sha },
    world.clock.now(),
  )
  const events = await eventsOf(project_id)
  expect(events.map(({ type }) => type)).toEqual([
    'cr.opened',
    'cr.changes_requested',
    'cr.closed',
    'cr.reopened',
    'cr.merge_failed',
    'cr.merged',
  ])
  expect(events[4]?.data).toMatchObject({ code: 'MERGE_CONFLICT', number: 1, head_ref: 'work' })
  expect(events[5]?.data).toMatchObject({ status: 'merged', merge_commit_sha: sha })
})

const nightly = (more = '') =>
  `  - { slug: nightly, type: cron, cron: '0 0 3 * * *', prompt: Look${more} }
`

test('triggers that fire, fail, pause and go on', async () => {
  const project = await projectWith(world, nightly())
  const { project_id } = project
  world.clock.advance(24 * 3_600_000)
  await fireAll(world, 25 * 3_600_000)
  await declare(world, project, nightly(', enabled: false'))
  await declare(world, project, nightly())
  await triggerCatalogues.setPaused(world.db, project_id, true, world.clock.now())
  await triggerCatalogues.setPaused(world.db, project_id, false, world.clock.now())
  await sql`update trigger_fires set status = 'failed', session_id = null, fired_at = null, reason = 'because'
    where project_id = ${project_id}`.execute(world.db)
  const events = (await eventsOf(project_id)).filter(({ type }) => type.startsWith('trigger.'))
  expect(events.map(({ type, data }) => [type, data['slug']])).toEqual([
    ['trigger.fired', 'nightly'],
    ['trigger.paused', 'nightly'],
    ['trigger.resumed', 'nightly'],
    ['trigger.paused', null],
    ['trigger.resumed', null],
    ['trigger.failed', 'nightly'],
  ])
  expect(events[0]?.data['session_id']).not.toBeNull()
})

test('budgets that pass a threshold, and are spent', async () => {
  const project = await makeProject(world)
  const { project_id, account_id } = project
  const [budget_id, at] = [randomUUID(), world.clock.now()]
  await world.db
    .insertInto('gateway_budgets')
    .values({
      ...{ budget_id, account_id, project_id, name: 'Night', level: 'project', subject: null },
      ...{ period: 'day', cap_micros: 1_000_000, mode: 'block', created_by: project.owner.user_id },
      ...{ created_at: at, updated_at: at },
    })
    .execute()
  await world.db
    .insertInto('gateway_budget_windows')
    .values({ budget_id, subject: '', window_start: at, resets_at: null, lock_order: 1 })
    .execute()
  for (const threshold of [80, 100])
    await world.db
      .insertInto('gateway_budget_alerts')
      .values({
        ...{ budget_id, subject: '', window_start: at, threshold, call_id: randomUUID() },
        ...{ spent_micros: 10_000 * threshold, cap_micros: 1_000_000, at, reported_at: null },
      })
      .execute()
  const events = await eventsOf(project_id)
  expect(events.map(({ type }) => type)).toEqual(['budget.alert', 'budget.exceeded'])
  expect(events[1]?.data).toMatchObject({ threshold: 100, budget: { budget_id, level: 'project' } })
})

test('approvals that are asked for, decided, carried out, and end by themselves', async () => {
  const project = await makeProject(world)
  const { project_id } = project
  const at = world.clock.now()
  const ask = async () => {
    const call_id = randomUUID()
    await sql`insert into connector_calls (call_id, project_id, slug, action, provider, actor, actor_id, door, risk,
        request_digest, status, created_at, updated_at)
      values (${call_id}, ${project_id}, 'crm', 'update', 'http', '{}', ${project.owner.user_id}, 'rest', 'write',
        'd', 'awaiting_approval', ${at}, ${at})`.execute(world.db)
    await connectorApprovals.insert(world.db, {
      ...{ call_id, project_id, status: 'pending', digest: 'd', second_person: false, created_at: at },
      expires_at: new Date(at.getTime() + 1000),
      ...{ decided_by: null, decided_sign_in_id: null, decision: null, message: null, decided_at: null },
    })
    return call_id
  }
  const [first, second] = [await ask(), await ask()]
  await connectorApprovals.decide(
    world.db,
    { call_id: first, digest: 'd' },
    {
      ...{ status: 'approved', decision: 'approve', decided_by: project.owner.user_id },
      ...{ decided_sign_in_id: null, message: null, decided_at: at },
    },
  )
  await sql`update connector_calls set status = 'succeeded', ended_at = ${at} where call_id = ${first}`.execute(
    world.db,
  )
  await connectorApprovals.end(world.db, second, 'expired')
  const events = await eventsOf(project_id)
  expect(events.map(({ type, data }) => [type, data['call_id'], data['status']])).toEqual([
    ['approval.requested', first, 'pending'],
    ['approval.requested', second, 'pending'],
    ['approval.decided', first, 'approved'],
    ['approval.executed', first, 'succeeded'],
    ['approval.expired', second, 'expired'],
  ])
})

test('a change that is undone leaves no event', async () => {
  const project = await makeProject(world)
  const session = await newSession(world, project)
  const failure = { category: 'gone', message: 'gone', retryable: true } as const
  const undone = world.db.transaction().execute(async (tx) => {
    await sessions.apply(tx, session.session_id, 'fail', { failure }, world.clock.now())
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await typesOf(project.project_id)).toEqual(['session.created'])
})
