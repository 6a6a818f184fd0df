import { createHash } from 'node:crypto'
import { deleteSession } from '@svc/services'
import { look, openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import {
  callConnector,
  cancelCall,
  decideApproval,
  getApproval,
  getCall,
  listApprovals,
  listCalls,
  updateConnection,
  listConnections,
  deleteConnection,
  getConnector,
} from '../../src/index.ts'
import { openExecutor, openPlace, type Place, secondPerson, startService } from '../support/place.ts'

const world = await openWorld({ session_cap: 500 })
const executor = openExecutor(world)
const service = await startService()

const get = { connector: 'tracker', action: 'get', args: { path: '/issues?open=1' } } as const
const post = {
  connector: 'tracker',
  action: 'post',
  args: { path: '/issues', body: { title: 'Broken' } },
} as const
const call = (
  place: Place,
  asked: typeof get | typeof post,
  more: { wait_seconds?: number; idempotency_key?: string } = {},
) =>
  callConnector(place.agent, {
    ...asked,
    project_id: place.project_id,
    wait_seconds: 0,
    door: 'executor',
    ...more,
  })

test('a read of an agent is carried out at once, with a credential that it never sees', async () => {
  const place = await openPlace(world, executor, service)
  const before = service.asked.length
  const outcome = await call(place, get, { wait_seconds: 20 })
  expect(outcome).toMatchObject({
    ok: true,
    status: 'done',
    risk: 'read',
    data: { status: 200, body: { path: '/api/issues?open=1' } },
  })
  const [asked, ...more] = service.asked.slice(before)
  expect(more).toEqual([])
  expect(asked?.headers.authorization).toBe('Bearer tok-sesame')
  expect(JSON.stringify(outcome)).not.toContain('sesame')
  expect(await place.events('connector_call')).toMatchObject([
    { connector: 'tracker', action: 'get', risk: 'read', status: 'succeeded', reason: null },
  ])
  const { calls } = await listCalls(place.person, { project_id: place.project_id, limit: 10 })
  expect(calls).toMatchObject([
    { status: 'succeeded', door: 'executor', delivery: 'inline', upstream_status: 200 },
  ])
  world.clock.advance(60_000)
  await executor.sweep()
  expect(await place.prompts()).toEqual([])
})

test('a write waits for a person, runs once as it was shown, and its result comes as a message', async () => {
  const place = await openPlace(world, executor, service)
  const { project_id } = place
  const before = service.asked.length
  const outcome = await call(place, post)
  expect(outcome).toMatchObject({ ok: false, status: 'pending', reason: 'approval_required' })
  const [again, other] = [
    await call(place, post),
    await call(place, { ...post, args: { ...post.args, body: 1 } } as never),
  ]
  expect(again.call_id).toBe(outcome.call_id)
  expect(other.call_id).not.toBe(outcome.call_id)
  const call_id = outcome.call_id ?? ''
  const { approvals } = await listApprovals(place.person, { project_id, status: 'pending' })
  expect(approvals.map((one) => one.call_id)).toContain(call_id)
  const approval = await getApproval(place.person, { project_id, call_id })
  expect(approval).toMatchObject({
    connector: 'tracker',
    action: 'post',
    args: post.args,
    rule: { source: 'default' },
    address: `${service.url}/api`,
    connection: { label: 'Project', scope: 'project' },
  })
  expect(service.asked.length).toBe(before)
  const decided = await decideApproval(place.person, {
    project_id,
    call_id,
    decision: 'approve',
    digest: approval.digest,
  })
  expect(decided).toMatchObject({ status: 'approved', decision: 'approve', outcome: { status: 'approved' } })
  await Promise.all([executor.execute({ call_id }), openExecutor(world).execute({ call_id })])
  const asked = service.asked.slice(before)
  expect(asked).toMatchObject([{ method: 'POST', path: '/api/issues', body: JSON.stringify(post.args.body) }])
  expect(await place.prompts()).toMatchObject([
    { source: 'connector', text: expect.stringContaining('tracker.post') },
  ])
  expect((await getCall(place.agent, { project_id, call_id, wait_seconds: 0 })).outcome).toMatchObject({
    ok: true,
    data: { status: 200 },
  })
  const seen = await getCall(place.person, { project_id, call_id, wait_seconds: 0 })
  expect(seen.outcome).toMatchObject({ ok: true, data: null })
  await expect(
    decideApproval(place.person, { project_id, call_id, decision: 'deny', digest: approval.digest }),
  ).rejects.toMatchObject({ code: 'APPROVAL_NOT_PENDING' })
})

test('a caller that waits takes the result, and no message repeats it', async () => {
  const place = await openPlace(world, executor, service)
  const { project_id } = place
  const waiting = call(place, post, { wait_seconds: 20 })
  const approval = await expect
    .poll(async () => (await listApprovals(place.person, { project_id, status: 'pending' })).approvals[0])
    .toBeDefined()
    .then(async () => (await listApprovals(place.person, { project_id, status: 'pending' })).approvals[0])
  const { call_id = '', digest = '' } = approval ?? {}
  await decideApproval(place.person, { project_id, call_id, decision: 'approve', digest })
  await executor.execute({ call_id })
  expect(await waiting).toMatchObject({ ok: true, call_id })
  world.clock.advance(60_000)
  await executor.sweep()
  expect(await place.prompts()).toEqual([])
})

test('a decision is of a person with a fresh sign-in, on what was shown', async () => {
  const place = await openPlace(world, executor, service)
  const { project_id } = place
  const { call_id = '' } = await call(place, post)
  const { digest } = await getApproval(place.person, { project_id, call_id })
  const decide = (ctx: Place['person'], more: object = {}) =>
    decideApproval(ctx, { project_id, call_id, decision: 'approve', digest, ...more })
  await expect(decide({ ...place.person, principal: place.project.owner.principal })).rejects.toMatchObject({
    code: 'person_required',
  })
  await expect(decide(place.agent)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(
    decide(place.person, { digest: createHash('sha256').update('else').digest('hex') }),
  ).rejects.toMatchObject({ code: 'APPROVAL_STALE' })
  world.clock.advance(61 * 60_000)
  await expect(decide(place.person)).rejects.toMatchObject({
    code: 'fresh_sign_in_required',
    details: { max_age_seconds: 3600 },
  })
  const fresh = await place.as(place.project.owner)
  expect(await decide(fresh, { decision: 'deny', message: 'Not on a Friday' })).toMatchObject({
    status: 'denied',
  })
  expect(await place.prompts()).toMatchObject([
    { source: 'connector', text: expect.stringContaining('Not on a Friday') },
  ])
})

test('a rule may ask for a second person', async () => {
  const place = await openPlace(world, executor, service, {
    policies: '      - { match: post, action: require_approval, second_person: true }\n',
  })
  const { project_id } = place
  const { call_id = '' } = await call(place, post)
  const { digest } = await getApproval(place.person, { project_id, call_id })
  const decision = { project_id, call_id, decision: 'approve', digest } as const
  await expect(decideApproval(place.person, decision)).rejects.toMatchObject({
    code: 'second_person_required',
  })
  const second = await place.as(await secondPerson(world, place))
  expect(await decideApproval(second, decision)).toMatchObject({ status: 'approved' })
})

test.each([['block', 'policy_block', 403]])(
  'a policy that says %s is the end of it',
  async (action, reason) => {
    const place = await openPlace(world, executor, service, {
      policies: `      - { match: "*", action: ${action} }\n`,
    })
    const before = service.asked.length
    expect(await call(place, get)).toMatchObject({
      ok: false,
      status: 'denied',
      reason,
      rule: { source: 'policy', index: 0, match: '*' },
    })
    expect(service.asked.length).toBe(before)
    const { calls } = await listCalls(place.person, { project_id: place.project_id, limit: 10 })
    expect(calls).toMatchObject([{ status: 'denied', reason }])
  },
)

test('nothing connected, a connection for another address, and one that is gone', async () => {
  const place = await openPlace(world, executor, service, { auth: true })
  const { project_id } = place
  const key = { project_id, slug: 'tracker' }
  const [connection] = (await listConnections(place.person, key)).connections
  const connection_id = connection?.connection_id ?? ''
  await world.db
    .updateTable('connector_connections')
    .set({ origin: 'https://elsewhere.example' })
    .where('connection_id', '=', connection_id)
    .execute()
  expect(await call(place, get, { wait_seconds: 20 })).toMatchObject({
    status: 'denied',
    reason: 'connector_changed',
  })
  await updateConnection(place.person, { ...key, connection_id, credential: { token: 'tok-new' } })
  expect(await call(place, get, { wait_seconds: 20 })).toMatchObject({ ok: true })
  expect(await deleteConnection(place.person, { ...key, connection_id })).toMatchObject({
    ...{ connection_id, status: 'revoked', is_default: false },
  })
  expect(await call(place, get)).toMatchObject({
    status: 'denied',
    reason: 'connector_not_connected',
    connect_url: expect.stringContaining('/connectors/tracker'),
  })
  expect((await getConnector(place.person, key)).connection).toBeNull()
})

test('a repeated key is the same call, of an agent and of a person apart', async () => {
  const place = await openPlace(world, executor, service)
  const before = service.asked.length
  const first = await call(place, get, { wait_seconds: 20, idempotency_key: 'k1' })
  const second = await call(place, get, { wait_seconds: 20, idempotency_key: 'k1' })
  expect(second.call_id).toBe(first.call_id)
  expect(service.asked.length - before).toBe(1)
  await expect(call(place, post, { idempotency_key: 'k1' })).rejects.toMatchObject({
    code: 'IDEMPOTENCY_KEY_CONFLICT',
  })
})

test('a call that waits is cancelled by its caller, and then nobody can approve it', async () => {
  const place = await openPlace(world, executor, service)
  const { project_id } = place
  const { call_id = '' } = await call(place, post)
  const { digest } = await getApproval(place.person, { project_id, call_id })
  expect(await cancelCall(place.agent, { project_id, call_id })).toMatchObject({ status: 'cancelled' })
  await expect(cancelCall(place.agent, { project_id, call_id })).rejects.toMatchObject({
    code: 'CALL_NOT_CANCELLABLE',
  })
  await expect(
    decideApproval(place.person, { project_id, call_id, decision: 'approve', digest }),
  ).rejects.toMatchObject({ code: 'APPROVAL_NOT_PENDING' })
})

test('an approval that nobody gives expires, and its agent hears of it', async () => {
  const place = await openPlace(world, executor, service, {
    policies: '      - { match: post, action: require_approval, expires: 1h }\n',
  })
  const { call_id = '' } = await call(place, post)
  world.clock.advance(3_600_001)
  await executor.sweep()
  expect(
    (await getCall(place.agent, { project_id: place.project_id, call_id, wait_seconds: 0 })).outcome,
  ).toMatchObject({ reason: 'approval_expired' })
  expect(await place.prompts()).toMatchObject([{ source: 'connector' }])
})

test('a session that is deleted takes what it waits for with it', async () => {
  const place = await openPlace(world, executor, service)
  const { project_id, session_id } = place
  const { call_id = '' } = await call(place, post)
  await deleteSession(place.person, { project_id, session_id })
  await executor.sweep()
  const approval = await getApproval(place.person, { project_id, call_id })
  expect(approval).toMatchObject({ status: 'cancelled', outcome: { status: 'cancelled' } })
})

test('a service whose actions cannot be known before it is connected says so', async () => {
  const place = await openPlace(world, executor, service)
  const { project, project_id } = place
  const manifest = `svc_version: 2
connectors:
  - { slug: tools, provider: mcp, url: "${service.url}/mcp", auth: { type: bearer } }
`
  await project.commit('main', { 'svc.yaml': manifest }, 'Declare a server')
  await look(world, project)
  const asked = { connector: 'tools', action: 'search', args: {}, wait_seconds: 0 }
  const outcome = await callConnector(place.person, { ...asked, project_id, door: 'rest' })
  expect(outcome).toMatchObject({ status: 'denied', reason: 'connector_not_connected' })
})
