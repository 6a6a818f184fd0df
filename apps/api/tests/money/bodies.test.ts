import { callBodies } from '@svc/db'
import { keepBodies, sweepBodies } from '@svc/spend'
import { beforeAll, expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'
import { callsOn } from './calls.ts'

const { ask, newProject, account_id, platform } = await openWorld()
const { db, objects, provider_sealer } = platform.parts
const calls = callsOn(db)
const secret = 'hunter2 "quoted"'
const bodies = {
  request: JSON.stringify({ messages: [{ content: `The password is ${secret}` }] }),
  answer: `data: ${secret}, twice: ${secret}`,
  truncated: false,
  days: 7,
}

let project_id: string
let call_id: string
beforeAll(async () => {
  if (provider_sealer === undefined) throw new Error('The API of tests has a key of the gateway')
  project_id = await newProject()
  await ask('PUT', `/v1/projects/${project_id}/secrets/PASSWORD`, { value: secret })
  call_id = await calls.spend({ account_id, project_id }, 1_000)
  const ctx = { db, now: () => new Date(), objects, sealer: provider_sealer }
  await keepBodies(ctx, { project_id, call_id }, bodies)
})

const get = async (id = call_id) =>
  Object((await ask('GET', `/v1/projects/${project_id}/gateway/logs/${id}`)).body)
const readings = async () => {
  const rows = await db
    .selectFrom('audit_events')
    .select('target')
    .where('action', '=', 'readModelCallBodies')
    .execute()
  return rows.map(({ target }) => target)
}

test('are read with the secrets of the project hidden, and each reading is an event', async () => {
  const found = (await get()).bodies
  expect(JSON.parse(found.request)).toEqual({ messages: [{ content: 'The password is ***' }] })
  expect(found).toMatchObject({ answer: 'data: ***, twice: ***', truncated: false })
  expect(await readings()).toEqual([`projects/${project_id}/gateway/logs/${call_id}`])
})

test('another call has none, and its reading is no event', async () => {
  const other = await calls.spend({ account_id, project_id }, 10)
  expect((await get(other)).bodies).toBeNull()
  expect(await readings()).toHaveLength(1)
})

test('do not open in the place of another call', async () => {
  const other = await calls.spend({ account_id, project_id }, 10)
  await objects.copy(`bodies/${project_id}/${call_id}`, `bodies/${project_id}/${other}`)
  await callBodies.insert(db, { project_id, call_id: other, kept_until: new Date(Date.now() + 86_400_000) })
  expect((await get(other)).bodies).toBeNull()
})

test('go at their own date: object and row', async () => {
  const in_days = (days: number) => ({ db, objects, now: () => new Date(Date.now() + days * 86_400_000) })
  expect(await sweepBodies(in_days(0.5))).toBe(0)
  expect(await sweepBodies(in_days(6.9))).toBe(1)
  expect((await get()).bodies).not.toBeNull()
  expect(await sweepBodies(in_days(7.1))).toBe(1)
  expect(await objects.head(`bodies/${project_id}/${call_id}`)).toBeNull()
  expect((await get()).bodies).toBeNull()
  expect((await get()).cost_micros).toBe(1_000)
})
