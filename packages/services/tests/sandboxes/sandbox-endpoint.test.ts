import { projects, sandboxes } from '@svc/db'
import { createMemoryProvider } from '@svc/sandbox/providers'
import { openIngress } from '@svc/sandbox/testing'
import { afterAll, expect, test } from 'vitest'
import { endpointOf } from '../../src/sandboxes/endpoint.ts'
import { provisionSandbox } from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld({ session_cap: 100 })
const ingress = await openIngress(async () => ({ url: world.daemon.url }))
afterAll(() => ingress.close())

async function provisioned() {
  const made = await makeProject(world)
  const session = await newSession(world, made)
  world.queue.drop()
  const provider = createMemoryProvider({ endpoint: () => ingress.outside('one') })
  await provisionSandbox(world.worker({ provider }), session.key)
  const project = await projects.find(world.base.db, made.project_id)
  if (!project) throw new Error('The project is gone')
  return { project, session, sandbox: await session.sandbox() }
}

test('a sandbox behind https and a token runs, and its row shows the address alone', async () => {
  const { project, session, sandbox } = await provisioned()
  expect((await session.row()).status).toBe('running')
  expect(ingress.refused).toEqual([])
  const whole = ingress.outside('one')
  const { 'x-svc-sandbox-key': token = '' } = whole.headers ?? {}
  expect(sandbox.endpoint).toBe(whole.url)
  expect(JSON.stringify(sandbox)).not.toContain(token)
  expect(endpointOf(world.base, project, sandbox)).toEqual(whole)
})

test('the headers of an address go nowhere else: a release that writes only addresses may have moved it', async () => {
  const { project, session, sandbox } = await provisioned()
  await sandboxes.patch(world.base.db, sandbox.session_id, { endpoint: world.daemon.url })
  expect(endpointOf(world.base, project, await session.sandbox())).toEqual({ url: world.daemon.url })
})
