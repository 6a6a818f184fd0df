import { openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import { callConnector, decideApproval, getApproval } from '../../src/index.ts'
import { openExecutor, openPlace, secondPerson, startService } from '../support/place.ts'

const world = await openWorld({ session_cap: 500 })
const executor = openExecutor(world)

test('of 200 equal calls that 10 people decide on at once each is carried out once', async () => {
  const service = await startService()
  const place = await openPlace(world, executor, service)
  const { project_id, person } = place
  const frozen = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const asked = { connector: 'tracker', action: 'post', args: { path: '/issues' } } as const
      const outcome = await callConnector(person, { ...asked, project_id, wait_seconds: 0, door: 'rest' })
      const call_id = outcome.call_id ?? ''
      const { digest } = await getApproval(person, { project_id, call_id })
      return { project_id, call_id, digest }
    }),
  )
  const people = [person]
  while (people.length < 10) people.push(await place.as(await secondPerson(world, place)))
  const decided = await Promise.allSettled(
    people.flatMap((one) => frozen.map((call) => decideApproval(one, { ...call, decision: 'approve' }))),
  )
  expect(decided.filter(({ status }) => status === 'fulfilled')).toHaveLength(200)
  const refused = decided.flatMap((one) => (one.status === 'rejected' ? [Object(one.reason).code] : []))
  expect(new Set(refused)).toEqual(new Set(['APPROVAL_NOT_PENDING']))
  const executors = [executor, openExecutor(world)]
  await Promise.all(executors.flatMap((one) => frozen.map((call) => one.execute(call))))
  expect(service.asked.filter(({ method }) => method === 'POST')).toHaveLength(200)
})

test('of 1,000 calls at once of a service that is silent most are refused, the rest end in their time, and others are served', async () => {
  const [silent, service] = [await startService(), await startService()]
  silent.answer = () => {}
  const place = await openPlace(world, executor, silent, { more: '    timeout_seconds: 2' })
  const other = await openPlace(world, executor, service)
  const get = { connector: 'tracker', action: 'get', args: { path: '/issues' } } as const
  const began = performance.now()
  const flood = Array.from({ length: 1_000 }, async () => {
    try {
      const asked = { ...get, project_id: place.project_id, wait_seconds: 45, door: 'rest' } as const
      const outcome = await callConnector(place.person, asked)
      return outcome.ok ? 'done' : outcome.reason
    } catch (error) {
      return String(Object(error).code)
    }
  })
  const served = await callConnector(other.person, {
    ...{ ...get, project_id: other.project_id, wait_seconds: 20, door: 'rest' },
  })
  expect(served).toMatchObject({ ok: true })
  const ends = await Promise.all(flood)
  const admitted = ends.filter((end) => end !== 'rate_limit_exceeded')
  // On a machine that is busy the time may end before a request is sent.
  expect(admitted.filter((end) => end !== 'outcome_unknown' && end !== 'upstream_timeout')).toEqual([])
  // 32 at once, each of which holds its place for its two seconds.
  const rounds = Math.ceil((performance.now() - began) / 2_000)
  expect(admitted.length).toBeLessThanOrEqual(32 * rounds)
  expect(admitted.length).toBeLessThan(500)
})
