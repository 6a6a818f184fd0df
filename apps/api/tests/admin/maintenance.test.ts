import { expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'

const { ask, platform } = await openWorld()
const path = '/v1/admin/maintenance'
const soon = () => new Date(Date.now() + 60_000).toISOString()

test('it is replaced as a whole, and says who changed it', async () => {
  expect((await ask('GET', path)).body).toMatchObject({ mode: 'off', message: null, until: null, by: null })
  const until = soon()
  const words = 'Back at noon.'
  const set = await ask('PUT', path, { mode: 'drain', message: words, retry_after_seconds: 300, until })
  const { user_id } = platform.owner
  const drained = { mode: 'drain', message: words, retry_after_seconds: 300, until, by: user_id }
  expect(set).toMatchObject({ status: 200, body: drained })
  expect((await ask('GET', path)).body).toEqual(set.body)
  const again = await ask('PUT', path, { mode: 'read_only' })
  expect(again.body).toMatchObject({ mode: 'read_only', message: null, retry_after_seconds: 60, until: null })
  await ask('PUT', path, { mode: 'off' })
  const { events } = Object((await ask('GET', '/v1/admin/audit')).body)
  expect(events).toMatchObject([
    { action: 'setMaintenance', target: 'admin/maintenance', details: { mode: 'off' } },
    { details: { mode: 'read_only' } },
    { details: { mode: 'drain', until } },
  ])
})

test.each([
  { mode: 'closed' },
  { mode: 'drain', message: '' },
  { mode: 'drain', message: 'x'.repeat(501) },
  { mode: 'drain', retry_after_seconds: 0 },
  { mode: 'drain', retry_after_seconds: 3_601 },
  { mode: 'drain', until: '2020-01-01T00:00:00Z' },
  { mode: 'drain', until: 'noon' },
  { mode: 'drain', more: true },
  {},
])('%j is refused and changes nothing', async (json) => {
  expect(await ask('PUT', path, json)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  expect((await ask('GET', path)).body).toMatchObject({ mode: 'off' })
})
