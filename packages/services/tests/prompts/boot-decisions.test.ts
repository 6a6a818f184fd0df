import { authenticate } from '@svc/context'
import { beforeEach, expect, test } from 'vitest'
import {
  deleteSession,
  promptSession,
  provisionSandbox,
  restartSession,
  startSession,
  stopSession,
} from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const project = await makeProject(world)
const { ctx } = project
beforeEach(() => {
  world.queue.drop()
  world.daemon.repo = { state: 'ready' }
})

test('a stop during the boot wins over whatever the boot comes to', async () => {
  for (const end of ['ready', 'failed']) {
    world.daemon.repo = { state: 'cloning' }
    const session = await newSession(world, project)
    world.queue.live = true
    const booting = provisionSandbox(world.worker(), session.key)
    await world.daemon.seen(2)
    const stopped = stopSession(ctx, session.key)
    while ((await session.row()).status !== 'stopped');
    world.daemon.repo = { state: end, error: 'too late' }
    await booting
    expect(await stopped).toMatchObject({
      status: 'stopped',
      stop_reason: 'user',
      runtime_status: 'stopped',
      error: null,
    })
    await world.queue.settled()
    world.queue.live = false
    expect([...world.provider.sandboxes.values()].at(-1)?.running).toBe(false)
  }
})

test('a restart during the boot ends with the new sandbox, not with the old one', async () => {
  for (const end of ['ready', 'failed']) {
    world.daemon.repo = { state: 'cloning' }
    const session = await newSession(world, project)
    const booting = provisionSandbox(world.worker(), session.key)
    await world.daemon.seen(2)
    const before = await session.environment()
    await restartSession(ctx, session.key)
    world.daemon.repo = { state: end, error: 'of the old one' }
    await booting
    expect((await session.row()).status).toBe('provisioning')
    world.daemon.repo = { state: 'ready' }
    await world.queue.drain()
    expect(await session.row()).toMatchObject({ status: 'running', runtime_status: 'active' })
    const { SVC_CLI_TOKEN = '', SVC_SANDBOX_TOKEN = '' } = await session.environment()
    expect(SVC_SANDBOX_TOKEN).not.toBe(before.SVC_SANDBOX_TOKEN)
    expect(await authenticate(world.base, SVC_CLI_TOKEN)).toMatchObject(session.key)
    await expect(authenticate(world.base, before.SVC_CLI_TOKEN ?? '')).rejects.toMatchObject({
      code: 'session_token_revoked',
    })
  }
})

test('a restart before there was a sandbox does not cost the next one its files', async () => {
  const session = await newSession(world, project)
  await restartSession(ctx, session.key)
  await world.queue.drain()
  const { external_id } = await session.row()
  world.queue.live = true
  await stopSession(ctx, session.key)
  await startSession(ctx, session.key)
  await world.queue.settled()
  world.queue.live = false
  expect(await session.row()).toMatchObject({ status: 'running', external_id })
})

test('a session that was deleted on its way up never runs', async () => {
  world.daemon.repo = { state: 'cloning' }
  const session = await newSession(world, project)
  const booting = provisionSandbox(world.worker(), session.key)
  await world.daemon.seen(2)
  await deleteSession(ctx, session.key)
  world.daemon.repo = { state: 'ready' }
  await booting
  await world.queue.drain()
  expect(await session.row()).toMatchObject({
    status: 'stopped',
    stop_reason: 'deleted',
    runtime_status: 'archived',
  })
  await expect(promptSession(ctx, { ...session.key, text: 'x' })).rejects.toMatchObject({ code: 'not_found' })
})
