import { randomUUID } from 'node:crypto'
import { changeRequests, connectorApprovals, merges, platformEvents, sessions, sessionAsks } from '@svc/db'
import { updateSession } from '@svc/services'
import {
  addMember,
  agentPrincipal,
  makeProject,
  newSession,
  openWorld,
  type TestProject,
} from '@svc/services/testing'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  announcePresence,
  listNotifications,
  readNotifications,
  updateNotificationSettings,
  watchProject,
} from '../src/index.ts'
import { ask, notificationWorker, told } from './support.ts'

const world = await openWorld()
const worker = await notificationWorker(world)

/** A project with a person who works in it, and a session of theirs. */
async function scene() {
  const project = await makeProject(world)
  const ada = await addMember(world, project, 'editor')
  const ctx = world.as(ada.principal)
  const session = await newSession(world, project, { name: 'Fix the typo' }, ctx)
  await world.queue.drain()
  return { project, ada, ctx, session }
}

async function opened(project: TestProject, session_id: string) {
  const { project_id, account_id } = project
  const [cr_id, at] = [randomUUID(), world.clock.now()]
  await changeRequests.insert(world.db, {
    ...{ cr_id, account_id, project_id, number: 1, title: 'Fix it', base_ref: 'main', head_ref: session_id },
    ...{ status: 'open', head_commit_sha: null, base_commit_sha: null, origin_session_id: session_id },
    ...{ created_by: (await sessions.findById(world.db, session_id))?.created_by ?? '' },
    ...{ merged_at: null, merged_by: null, merge_commit_sha: null, closed_at: null, closed_by: null },
    ...{ created_at: at, updated_at: at },
  })
  return cr_id
}

test('an ask is told to the person whose agent asks, once, and is read with its answer', async () => {
  const { project, ctx, session } = await scene()
  const request_id = await ask(world, session, 'Which database?')
  await worker.publish(project.account_id)
  await worker.publish(project.account_id)
  expect(await told(ctx)).toEqual([
    { kind: 'needs_me', title: 'Fix the typo', text: 'Which database?', read: false },
  ])
  expect(await told(project.ctx)).toEqual([])
  await sessionAsks.record(world.db, session.session_id, [
    { type: 'question', at: world.clock.now(), payload: { request_id, state: 'replied' } },
  ])
  expect(await told(ctx)).toMatchObject([{ read: true }])
})

test('an ask that was answered before it is told is read at once', async () => {
  const { project, ctx, session } = await scene()
  const request_id = await ask(world, session)
  await sessionAsks.record(world.db, session.session_id, [
    { type: 'question', at: world.clock.now(), payload: { request_id, state: 'replied' } },
  ])
  await worker.publish(project.account_id)
  expect(await told(ctx)).toMatchObject([{ kind: 'needs_me', read: true }])
})

test('who watches all of a project hears of others’ sessions that they may look into, who wants none hears of none', async () => {
  const { project, ctx, session } = await scene()
  const { project_id } = project
  const bob = await addMember(world, project, 'member')
  const bobs = world.as(bob.principal)
  await watchProject(bobs, { project_id, level: 'all' })
  await watchProject(ctx, { project_id, level: 'none' })
  await ask(world, session)
  await worker.publish(project.account_id)
  // A private session is its owner's and the managers': a member may not answer.
  expect(await told(bobs)).toEqual([])
  expect(await told(ctx)).toEqual([])
  await updateSession(project.ctx, { ...session.key, visibility: 'project' })
  await ask(world, session)
  await worker.publish(project.account_id)
  expect(await told(bobs)).toMatchObject([{ kind: 'needs_me' }])
})

test('a session that holds secrets of its owner is told to its owner alone', async () => {
  const { project, ctx, session } = await scene()
  const bob = await addMember(world, project, 'manager')
  const bobs = world.as(bob.principal)
  await watchProject(bobs, { project_id: project.project_id, level: 'all' })
  await world.db
    .updateTable('project_sessions')
    .set({ holds_personal_secrets: true })
    .where('session_id', '=', session.session_id)
    .execute()
  await ask(world, session, 'Is it hunter2?')
  const failure = { category: 'gone', message: 'hunter2 is gone', retryable: true } as const
  await sessions.apply(world.db, session.session_id, 'fail', { failure }, world.clock.now())
  await worker.publish(project.account_id)
  expect(await told(bobs)).toEqual([])
  expect((await told(ctx)).map(({ kind }) => kind).sort()).toEqual(['needs_me', 'session_failed'])
})

test('a change request is told to the person of its session, and its merge to all of them but who did it', async () => {
  const { project, ada, ctx, session } = await scene()
  const cr_id = await opened(project, session.session_id)
  const sha = 'a'.repeat(40)
  await changeRequests.apply(
    world.db,
    cr_id,
    'merge',
    { merged_by: project.owner.user_id, merge_commit_sha: sha, head_commit_sha: sha, base_commit_sha: sha },
    world.clock.now(),
  )
  await watchProject(project.ctx, { project_id: project.project_id, level: 'all' })
  await worker.publish(project.account_id)
  expect(await told(ctx)).toEqual([
    { kind: 'cr_merged', title: '#1 Fix it', text: 'Was merged into main', read: false },
    { kind: 'cr_opened', title: '#1 Fix it', text: 'Was opened for main', read: false },
  ])
  expect(await told(project.ctx)).toMatchObject([{ kind: 'cr_opened' }])
  expect(ada.user_id).not.toBe(project.owner.user_id)
})

test('a merge that is refused is told, but for the person who asked for it and was answered', async () => {
  const { project, ctx, session } = await scene()
  const { project_id } = project
  const cr_id = await opened(project, session.session_id)
  const attempt_id = randomUUID()
  await merges.insertAttempt(world.db, {
    ...{ attempt_id, cr_id, project_id, requested_by: project.owner.user_id, message: null },
    ...{ expected_head_sha: null, expected_base_sha: null, created_at: world.clock.now(), finished_at: null },
  })
  const outcome = { code: 'MERGE_CONFLICT', message: 'no', details: {} }
  await merges.finishAttempt(world.db, attempt_id, { event: 'refuse', outcome }, world.clock.now())
  await watchProject(project.ctx, { project_id, level: 'all' })
  await worker.publish(project.account_id)
  expect((await told(ctx)).map(({ kind, text }) => [kind, text])).toContainEqual([
    'cr_failed',
    'Its merge into main was refused: MERGE_CONFLICT',
  ])
  expect((await told(project.ctx)).map(({ kind }) => kind)).toEqual(['cr_opened'])
})

test('a failed fire and a budget are told to the managers and to who wrote the trigger by the platform', async () => {
  const { project, ada, ctx } = await scene()
  const { project_id } = project
  await world.db
    .insertInto('trigger_writers')
    .values({ project_id, slug: 'nightly', user_id: ada.user_id })
    .execute()
  await platformEvents.record(world.db, {
    ...{ account_id: project.account_id, project_id, type: 'trigger.failed' },
    data: { slug: 'nightly', type: 'cron', fire_id: null, session_id: null, reason: 'no agent' },
  })
  await platformEvents.record(world.db, {
    ...{ account_id: project.account_id, project_id, type: 'budget.exceeded' },
    data: {
      budget: { budget_id: randomUUID(), name: 'Night', level: 'project', subject: null, period: 'day' },
      ...{ threshold: 100, cap_micros: 5_000_000, spent_micros: 5_000_000, session_id: null },
    },
  })
  await worker.publish(project.account_id)
  expect(await told(project.ctx)).toEqual([
    { kind: 'budget_alert', title: 'Night', text: 'Is spent: $5.00 of $5.00', read: false },
    { kind: 'trigger_failed', title: 'nightly', text: 'Did not fire: no agent', read: false },
  ])
  expect(await told(ctx)).toMatchObject([{ kind: 'trigger_failed' }])
})

test('a budget of the account is told to its admins, and leads to where its call was made', async () => {
  const { project, ctx, session } = await scene()
  const { account_id, project_id } = project
  const budget = { budget_id: randomUUID(), name: 'All', level: 'account', subject: null, period: 'month' }
  for (const session_id of [session.session_id, null])
    await platformEvents.record(world.db, {
      ...{ account_id, project_id: null, type: 'budget.alert' },
      data: { budget, threshold: 80, cap_micros: 5_000_000, spent_micros: 4_000_000, session_id },
    })
  await worker.publish(account_id)
  const { notifications } = await listNotifications(project.ctx, { limit: 10 })
  expect(notifications.map(({ text, path }) => [text, path])).toEqual([
    ['80 % are spent: $4.00 of $5.00', `/accounts/${account_id}/audit`],
    ['80 % are spent: $4.00 of $5.00', `/projects/${project_id}/models?tab=budgets`],
  ])
  expect(await told(ctx)).toEqual([])
})

test('what an agent waits for is told to the managers where its owner may not decide', async () => {
  const project = await makeProject(world)
  const { project_id } = project
  const eve = await addMember(world, project, 'member')
  const session = await newSession(world, project, { name: 'Sell it' }, world.as(eve.principal))
  await world.queue.drain()
  const [call_id, at] = [randomUUID(), world.clock.now()]
  await sql`insert into connector_calls (call_id, project_id, session_id, slug, action, provider, actor, actor_id, door,
      risk, request_digest, status, created_at, updated_at)
    values (${call_id}, ${project_id}, ${session.session_id}, 'crm', 'update', 'http', '{}', ${eve.user_id}, 'mcp',
      'write', 'd', 'awaiting_approval', ${at}, ${at})`.execute(world.db)
  await connectorApprovals.insert(world.db, {
    ...{ call_id, project_id, status: 'pending', digest: 'd', second_person: false, created_at: at },
    expires_at: new Date(at.getTime() + 60_000),
    ...{ decided_by: null, decided_sign_in_id: null, decision: null, message: null, decided_at: null },
  })
  await worker.publish(project.account_id)
  expect(await told(world.as(eve.principal))).toEqual([])
  expect(await told(project.ctx)).toEqual([
    { kind: 'needs_me', title: 'crm.update', text: 'Waits for your decision', read: false },
  ])
  await connectorApprovals.end(world.db, call_id, 'expired')
  expect(await told(project.ctx)).toMatchObject([{ read: true }])
})

test('a page that shows the session makes what is told of it read, and so does the one that opens it', async () => {
  const { project, ctx, session } = await scene()
  await ask(world, session)
  await worker.publish(project.account_id)
  expect(await told(ctx)).toMatchObject([{ read: false }])
  await announcePresence(ctx, session.key)
  expect(await told(ctx)).toMatchObject([{ read: true }])
  await ask(world, session)
  await worker.publish(project.account_id)
  expect(await told(ctx)).toMatchObject([{ read: true }, { read: true }])
  world.clock.advance(46_000)
  await ask(world, session)
  await worker.publish(project.account_id)
  expect(await told(ctx)).toMatchObject([{ read: false }, { read: true }, { read: true }])
})

test('an agent does not say that its owner looks at the session, and hides nothing by that', async () => {
  const { project, ctx, session } = await scene()
  const agent = world.as(agentPrincipal(await session.row(), ['project.session.read', 'project.read']))
  await expect(announcePresence(agent, session.key)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(watchProject(agent, { project_id: project.project_id, level: 'none' })).rejects.toMatchObject({
    code: 'forbidden',
  })
  await ask(world, session)
  await worker.publish(project.account_id)
  expect(await told(ctx)).toMatchObject([{ read: false }])
})

test('a kind that is off on every way is not written, and one that is off in the list alone is not listed', async () => {
  const { project, ada, ctx, session } = await scene()
  await updateNotificationSettings(ctx, {
    kinds: { needs_me: { in_app: false, email: false, push: false }, session_failed: { in_app: false } },
  })
  await ask(world, session)
  const failure = { category: 'gone', message: 'gone', retryable: true } as const
  await sessions.apply(world.db, session.session_id, 'fail', { failure }, world.clock.now())
  await worker.publish(project.account_id)
  expect(await told(ctx)).toEqual([])
  const rows = await world.db
    .selectFrom('notifications')
    .select('kind')
    .where('user_id', '=', ada.user_id)
    .execute()
  expect(rows).toEqual([{ kind: 'session_failed' }])
})

test('the list goes on where the last page ended, and reading marks one, those of a session, or all', async () => {
  const { project, ctx, session } = await scene()
  for (let n = 0; n < 5; n++) await ask(world, session, `Question ${n}`)
  await worker.publish(project.account_id)
  const first = await listNotifications(ctx, { limit: 2 })
  expect(first.unread_count).toBe(5)
  expect(first.notifications.map(({ text }) => text)).toEqual(['Question 4', 'Question 3'])
  const second = await listNotifications(ctx, { limit: 3, cursor: first.next_cursor ?? '' })
  expect(second.notifications.map(({ text }) => text)).toEqual(['Question 2', 'Question 1', 'Question 0'])
  expect(second.next_cursor).toBeNull()
  const [one] = first.notifications
  expect(await readNotifications(ctx, { ids: [one?.notification_id ?? ''] })).toEqual({ read: 1 })
  // Another person's stay as they are.
  expect(
    await readNotifications(project.ctx, { ids: [second.notifications[0]?.notification_id ?? ''] }),
  ).toEqual({
    read: 0,
  })
  expect(await readNotifications(ctx, { session_id: session.session_id })).toEqual({ read: 4 })
  expect(await readNotifications(ctx, { all: true })).toEqual({ read: 0 })
  expect(await listNotifications(ctx, { limit: 10, unread: true })).toMatchObject({
    notifications: [],
    unread_count: 0,
  })
})
