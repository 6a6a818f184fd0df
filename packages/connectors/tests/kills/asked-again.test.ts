import { openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import { callConnector, getCall } from '../../src/index.ts'
import { openExecutor, openPlace, startService } from '../support/place.ts'

const world = await openWorld({ session_cap: 500 })
const executor = openExecutor(world)
const service = await startService()
const write = {
  ...{ connector: 'tracker', action: 'post', args: { path: '/issues', body: { n: 1 } } },
  ...{ wait_seconds: 20, door: 'executor' as const },
}
const policies = '      - { match: post, action: always_run }\n'

test('an agent that asks again after its API died in the middle of the answer is sent no message as well', async () => {
  const place = await openPlace(world, executor, service, { policies })
  const { project_id } = place
  // The connection is gone before the last byte.
  const { call_id = '' } = await callConnector(
    { ...place.agent, when_answered: () => {} },
    { ...write, project_id },
  )
  expect((await getCall(place.agent, { project_id, call_id, wait_seconds: 0 })).outcome).toMatchObject({
    ok: true,
  })
  world.clock.advance(11_000)
  await executor.sweep()
  expect(await place.prompts()).toEqual([])
})

test('an agent that asks again and loses the connection once more is sent the message', async () => {
  const place = await openPlace(world, executor, service, { policies })
  const { project_id } = place
  const lost = { ...place.agent, when_answered: () => {} }
  const { call_id = '' } = await callConnector(lost, { ...write, project_id })
  await getCall(lost, { project_id, call_id, wait_seconds: 0 })
  world.clock.advance(11_000)
  await executor.sweep()
  expect(await place.prompts()).toMatchObject([
    { text: expect.stringContaining('If you have this answer already, there is nothing more to do.') },
  ])
})

test('an answer that is taken late has its whole time to be written', async () => {
  const place = await openPlace(world, executor, service, { policies })
  const { project_id } = place
  const { answer } = service
  let finish = () => {}
  service.answer = (asked, response) => {
    finish = () => answer(asked, response)
  }
  const left = new AbortController()
  const caller = { ...place.agent, signal: left.signal }
  const called = callConnector(caller, { ...write, project_id })
  const calls = () =>
    world.db
      .selectFrom('connector_calls')
      .select(['call_id', 'delivery', 'sent_at'])
      .where('project_id', '=', project_id)
      .execute()
  await expect.poll(async () => (await calls())[0]?.sent_at ?? null).not.toBeNull()
  left.abort()
  await called
  finish()
  service.answer = answer
  await expect.poll(async () => (await calls())[0]?.delivery).toBe('owed')
  const call_id = (await calls())[0]?.call_id ?? ''
  world.clock.advance(9_900)
  const written: (() => Promise<void>)[] = []
  const agent = { ...place.agent, when_answered: (then: () => Promise<void>) => void written.push(then) }
  expect((await getCall(agent, { project_id, call_id, wait_seconds: 0 })).outcome).toMatchObject({ ok: true })
  world.clock.advance(200)
  await executor.sweep()
  for (const then of written) await then()
  expect(await place.prompts()).toEqual([])
})
