import { machines, sandboxes } from '@svc/db'
import { createMemoryProvider } from '@svc/sandbox/providers'
import { beforeEach, expect, test } from 'vitest'
import { runSandboxJob, type SandboxJob, sweepRunning } from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const project = await makeProject(world)
const { db, clock, queue } = world

const see = (machine: string, door = true) =>
  machines.see(db, { machine, provider: 'memory', seen_at: clock.now(), door })
const open = { state: 'open', drain_until: null } as const
beforeEach(async () => {
  for (const machine of ['here', 'there']) {
    await see(machine)
    await machines.setState(db, machine, open)
  }
})

/** A job as a worker of the machine takes it, which reaches the sandboxes of its own machine alone. */
const runOn = (machine: string, name: SandboxJob, session_id: string) =>
  runSandboxJob(world.worker({ machine, door: true }), name, { session_id })

/** A session whose sandbox runs there. */
async function sessionThere() {
  const session = await newSession(world, project)
  queue.drop()
  await runOn('there', 'sandbox.provision', session.session_id)
  queue.drop()
  expect(await sandboxes.find(db, session.session_id)).toMatchObject({ machine: 'there', status: 'active' })
  return session
}

test.each([
  'sandbox.stop',
  'sandbox.check',
  'sandbox.hibernate',
  'sandbox.secrets',
  'sandbox.provision',
] as const)('a job %s is left to the machine of its sandbox', async (name) => {
  const { session_id } = await sessionThere()
  const before = await sandboxes.find(db, session_id)
  await runOn('here', name, session_id)
  expect(queue.drop()).toEqual([{ name, id: session_id }])
  expect(await sandboxes.find(db, session_id)).toEqual(before)
})

test('where no machine has a door any worker does it, as all of them are on one host', async () => {
  const { session_id } = await sessionThere()
  await see('there', false)
  await runSandboxJob(world.worker({ machine: 'here' }), 'sandbox.stop', { session_id })
  expect(queue.drop()).toEqual([])
  await runOn('here', 'sandbox.stop', session_id)
  expect(queue.drop()).toEqual([{ name: 'sandbox.stop', id: session_id }])
})

test('of a machine that is gone any other takes the job, and of one that is emptied what starts', async () => {
  const { session_id } = await sessionThere()
  await machines.setState(db, 'there', { state: 'draining', drain_until: null })
  await runOn('here', 'sandbox.stop', session_id)
  expect(queue.drop()).toEqual([{ name: 'sandbox.stop', id: session_id }])
  await runOn('here', 'sandbox.provision', session_id)
  expect(queue.drop()).toEqual([])
  await machines.setState(db, 'there', open)

  clock.advance(61_000)
  await see('here')
  await runOn('here', 'sandbox.check', session_id)
  expect(queue.drop()).toEqual([])
})

test('a sandbox that one is about to make is of its machine from then on', async () => {
  const session = await newSession(world, project)
  queue.drop()
  const provider = createMemoryProvider()
  provider.create = () => Promise.reject(new Error('The worker died here'))
  const died = runSandboxJob(
    world.worker({ machine: 'there', door: true, provider }),
    'sandbox.provision',
    session,
  )
  await expect(died).rejects.toThrow('The worker died here')
  queue.drop()
  await runOn('here', 'sandbox.provision', session.session_id)
  expect(queue.drop()).toEqual([{ name: 'sandbox.provision', id: session.session_id }])
})

test('a machine looks after its own sandboxes alone', async () => {
  const { session_id } = await sessionThere()
  // Of this machine, which knows none of the others'.
  const look = (machine: string) =>
    sweepRunning({ ...world.base, provider: createMemoryProvider(), machine, door: true })
  await look('here')
  expect(queue.drop()).toEqual([])
  await look('there')
  expect(queue.drop()).toContainEqual({ name: 'sandbox.check', id: session_id })
})
