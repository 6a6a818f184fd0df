import { createProviders } from '@svc/upstream'
import { guardedWire } from '@svc/outbound'
import { openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import { callConnector } from '../../src/index.ts'
import { openExecutor, openPlace, startService } from '../support/place.ts'

const world = await openWorld({ session_cap: 500 })
const service = await startService()
const http = ofHttp()

function ofHttp() {
  const { http: found } = createProviders({ wire: guardedWire({ open: ['127.0.0.0/8'] }) }).of
  if (found === undefined) throw new Error('There is no provider http')
  return found
}

/** A service whose actions take as long as the test wants. */
async function begun() {
  let open = () => {}
  let isSlow = false
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const executor = openExecutor(world, {
    http: {
      ...http,
      list: async (...given: Parameters<typeof http.list>) => {
        if (isSlow) await gate
        return http.list(...given)
      },
    },
  })
  const place = await openPlace(world, executor, service)
  const { project_id, agent } = place
  const undeclared = { status: 'syncing' as const, synced_at: null, catalogue_digest: null }
  await world.db.deleteFrom('connector_actions').where('project_id', '=', project_id).execute()
  await world.db
    .updateTable('project_connectors')
    .set(undeclared)
    .where('project_id', '=', project_id)
    .execute()
  isSlow = true
  const call = () =>
    callConnector(agent, {
      ...{ connector: 'tracker', action: 'get', args: { path: '/issues' }, door: 'executor' },
      ...{ project_id, wait_seconds: 20 },
    })
  return { call, open }
}

test('a call of a connector whose actions are read for the first time waits a moment, then says what to do', async () => {
  const { call, open } = await begun()
  const began = performance.now()
  expect(await call()).toMatchObject({
    ...{ ok: false, status: 'error', reason: 'connector_unusable', detail: 'its actions are being read' },
    message:
      'The actions of tracker are being read for the first time, which its service takes long for; call again in a minute',
  })
  expect(performance.now() - began).toBeLessThan(15_000)
  open()
  await expect.poll(async () => (await call()).ok, { timeout: 20_000 }).toBe(true)
})

test('a service that answers soon is waited for', async () => {
  const { call, open } = await begun()
  setTimeout(open, 500)
  expect(await call()).toMatchObject({ ok: true, status: 'done' })
})
