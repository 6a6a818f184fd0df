import { randomUUID } from 'node:crypto'
import { connectorCalls } from '@svc/db'
import { loseRestoredCalls } from '@svc/services'
import { openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import { callConnector, decideApproval, getApproval, getCall, settleCall } from '../../src/index.ts'
import { openExecutor, openPlace, type Place, startService } from '../support/place.ts'

const world = await openWorld({ session_cap: 500 })
const executor = openExecutor(world)
const service = await startService()
const post = {
  connector: 'tracker',
  action: 'post',
  args: { path: '/issues', body: { title: 'Broken' } },
} as const
const get = { connector: 'tracker', action: 'get', args: { path: '/issues' } } as const

async function approved(place: Place, asked: typeof post | typeof get = post) {
  const { project_id } = place
  const outcome = await callConnector(place.agent, {
    ...asked,
    project_id,
    wait_seconds: 0,
    door: 'executor',
  })
  const call_id = outcome.call_id ?? ''
  const { digest } = await getApproval(place.person, { project_id, call_id })
  await decideApproval(place.person, { project_id, call_id, decision: 'approve', digest })
  return call_id
}

/** The row as an executor leaves it that dies after its claim, or after it noted that it sends. */
async function abandoned(call_id: string, sent: boolean): Promise<void> {
  const now = world.clock.now()
  await connectorCalls.apply(world.db, call_id, 'claim', now, {
    set: { attempt_id: randomUUID(), fence: 1, started_at: now, sent_at: sent ? now : null },
  })
  world.clock.advance(11_000)
}
/** Runs a call whose caller waits as far as its row says, and is gone. */
async function left(call_id: string): Promise<void> {
  await world.db
    .updateTable('connector_calls')
    .set({ waited_until: new Date(world.clock.now().getTime() + 20_000) })
    .where('call_id', '=', call_id)
    .execute()
  await executor.execute({ call_id })
}
const asks = '      - { match: "*", action: require_approval }\n'
const statusOf = async (call_id: string) => (await connectorCalls.find(world.db, call_id))?.status

test('a job that was lost, or an executor that died before it sent, costs nothing but time', async () => {
  const place = await openPlace(world, executor, service)
  const before = service.asked.length
  const [lost, dropped] = [
    await approved(place),
    await approved(place, { ...post, args: { ...post.args, path: '/other' } } as never),
  ]
  await abandoned(lost, false)
  await executor.sweep()
  expect([await statusOf(lost), await statusOf(dropped)]).toEqual(['succeeded', 'succeeded'])
  await executor.sweep()
  expect(service.asked.length - before).toBe(2)
  expect(await place.prompts()).toHaveLength(2)
})

test('what may have happened is unknown, is not repeated, and is settled by a person', async () => {
  const place = await openPlace(world, executor, service)
  const { project_id } = place
  const before = service.asked.length
  const call_id = await approved(place)
  await abandoned(call_id, true)
  await executor.sweep()
  expect(await statusOf(call_id)).toBe('unknown')
  expect(service.asked.length).toBe(before)
  expect((await getCall(place.agent, { project_id, call_id, wait_seconds: 0 })).outcome).toMatchObject({
    reason: 'outcome_unknown',
  })
  expect(await place.prompts()).toMatchObject([{ text: expect.stringContaining('outcome_unknown') }])
  await expect(settleCall(place.agent, { project_id, call_id, outcome: 'happened' })).rejects.toMatchObject({
    code: 'forbidden',
  })
  expect(
    await settleCall(place.person, { project_id, call_id, outcome: 'happened', note: 'It is there.' }),
  ).toMatchObject({ status: 'succeeded', settled: true })
  await expect(
    settleCall(place.person, { project_id, call_id, outcome: 'did_not_happen' }),
  ).rejects.toMatchObject({ code: 'CALL_NOT_UNKNOWN' })
  expect(await place.prompts()).toHaveLength(2)
})

test('a read is asked once more, and so is a write whose service knows its key', async () => {
  const place = await openPlace(world, executor, service, {
    policies: asks,
    more: '    idempotency_header: Idempotency-Key',
  })
  const before = service.asked.length
  const [read, write] = [await approved(place, get), await approved(place)]
  await abandoned(read, true)
  await abandoned(write, true)
  await executor.sweep()
  expect([await statusOf(read), await statusOf(write)]).toEqual(['succeeded', 'succeeded'])
  const asked = service.asked.slice(before)
  expect(asked.map(({ method }) => method).sort()).toEqual(['GET', 'POST'])
  expect(asked.find(({ method }) => method === 'POST')?.headers['idempotency-key']).toBe(write)
})

test('a call that runs is left to its executor, however long it takes', async () => {
  const place = await openPlace(world, executor, service)
  const before = service.asked.length
  const call_id = await approved(place)
  const { answer } = service
  const held = new Promise<() => void>((resolve) => {
    service.answer = (asked, response) => resolve(() => answer(asked, response))
  })
  const running = executor.execute({ call_id })
  const finish = await held
  world.clock.advance(60_000)
  await openExecutor(world).sweep()
  await executor.sweep()
  expect(await statusOf(call_id)).toBe('executing')
  finish()
  await running
  service.answer = answer
  expect(await statusOf(call_id)).toBe('succeeded')
  expect(service.asked.length - before).toBe(1)
})

test('a result that its caller never took comes as a message, once', async () => {
  const place = await openPlace(world, executor, service)
  const call_id = await approved(place)
  await left(call_id)
  expect((await connectorCalls.find(world.db, call_id))?.delivery).toBe('owed')
  expect(await place.prompts()).toEqual([])
  world.clock.advance(11_000)
  await Promise.all([executor.sweep(), openExecutor(world).sweep()])
  expect(await place.prompts()).toMatchObject([{ source: 'connector' }])
})

test('a result that nothing opens any more holds up no other', async () => {
  const [broken, place] = [
    await openPlace(world, executor, service),
    await openPlace(world, executor, service),
  ]
  const owed = async (of: Place) => {
    const call_id = await approved(of)
    await left(call_id)
    return call_id
  }
  const lost = await owed(broken)
  await owed(place)
  await world.db
    .updateTable('connector_calls')
    .set({ sealed_result: 'v1.of another key' })
    .where('call_id', '=', lost)
    .execute()
  world.clock.advance(11_000)
  await expect(executor.sweep()).rejects.toThrow()
  expect(await place.prompts()).toMatchObject([{ source: 'connector' }])
  expect(await broken.prompts()).toEqual([])
  // So that no other test of this file meets it.
  await world.db
    .updateTable('connector_calls')
    .set({ sealed_result: null })
    .where('call_id', '=', lost)
    .execute()
  await executor.sweep()
  expect(await broken.prompts()).toMatchObject([{ source: 'connector' }])
})

test('arguments and results are forgotten, and the ledger stays', async () => {
  const place = await openPlace(world, executor, service)
  const call_id = await approved(place)
  await executor.execute({ call_id })
  world.clock.advance(25 * 3_600_000)
  await executor.forget()
  expect(await connectorCalls.find(world.db, call_id)).toMatchObject({
    status: 'succeeded',
    sealed_request: null,
    sealed_result: null,
  })
  world.clock.advance(91 * 86_400_000)
  await executor.forget()
  expect(await connectorCalls.find(world.db, call_id)).toBeUndefined()
})

test('a rule that blocks by now holds for what was approved', async () => {
  const place = await openPlace(world, executor, service)
  const before = service.asked.length
  const call_id = await approved(place)
  const found = await world.db
    .selectFrom('project_connectors')
    .select('definition')
    .where('project_id', '=', place.project_id)
    .executeTakeFirstOrThrow()
  const definition = {
    ...found.definition,
    policies: [{ match: '*', action: 'block', when: [], second_person: false, expires: '24h' }],
  }
  await world.db
    .updateTable('project_connectors')
    .set({ definition: JSON.stringify(definition) })
    .where('project_id', '=', place.project_id)
    .execute()
  await executor.execute({ call_id })
  expect(await connectorCalls.find(world.db, call_id)).toMatchObject({
    status: 'denied',
    reason: 'policy_block',
  })
  expect(service.asked.length).toBe(before)
  expect(await place.prompts()).toMatchObject([{ text: expect.stringContaining('policy_block') }])
})

test('what was approved is not sent while its account is suspended', async () => {
  const place = await openPlace(world, executor, service)
  const before = service.asked.length
  const call_id = await approved(place)
  const suspend = (suspended_at: Date | null) =>
    world.db
      .updateTable('accounts')
      .set({ suspended_at, suspended_reason: suspended_at && 'unpaid' })
      .execute()
  await suspend(world.clock.now())
  await executor.execute({ call_id }).finally(() => suspend(null))
  expect(await connectorCalls.find(world.db, call_id)).toMatchObject({
    status: 'denied',
    reason: 'account_suspended',
  })
  expect(service.asked.length).toBe(before)
})

test('after a restore nothing that was approved runs: it may have happened since', async () => {
  const place = await openPlace(world, executor, service)
  const before = service.asked.length
  const call_id = await approved(place)
  expect(await loseRestoredCalls(world.base)).toBe(1)
  await executor.execute({ call_id })
  world.clock.advance(11_000)
  await executor.sweep()
  expect(await statusOf(call_id)).toBe('unknown')
  expect(service.asked.length).toBe(before)
})

const counted = async (): Promise<Record<'awaiting_approval' | 'unknown', number>> => {
  await executor.sweep()
  await executor.measure()
  const text = await world.metrics.render()
  const of = (state: string) =>
    Number(new RegExp(`^svc_connector_calls_waiting\\{.*state="${state}".* (\\d+)$`, 'm').exec(text)?.[1])
  return { awaiting_approval: of('awaiting_approval'), unknown: of('unknown') }
}

test('the calls that wait for people are counted', async () => {
  const { agent, project_id, ...place } = await openPlace(world, executor, service)
  const before = await counted()
  await callConnector(agent, { ...post, project_id, wait_seconds: 0, door: 'executor' })
  const other = { ...post, args: { ...post.args, path: '/other' } }
  await abandoned(await approved({ ...place, agent, project_id }, other as never), true)
  expect(await counted()).toEqual({
    awaiting_approval: before.awaiting_approval + 1,
    unknown: before.unknown + 1,
  })
})
