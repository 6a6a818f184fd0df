import { FrozenHarness, HarnessLaunch, harnessLaunch, harnessVariable, placedIn } from '@svc/harness'
import { expect, test } from 'vitest'
import { type HarnessInstaller, provisionSandbox, startSession, stopSession } from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession, type TestSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const project = await makeProject(world)

/** A machine whose store holds the one install that its digest names. */
function openMachine() {
  const installed = new Set<string>()
  let next = 'first'
  const harnesses: HarnessInstaller = {
    ...{ store: 'placed', root: '/data/sandboxes/.harnesses', target: 'linux' },
    install: async () => {
      installed.add(next)
      return { digest: next, bytes: 7 }
    },
    folder: async ({ harness }, digest) =>
      installed.has(digest) ? `/data/sandboxes/.harnesses/${harness}/${digest}` : null,
    remove: async () => async () => undefined,
    sweepScratch: async () => undefined,
  }
  return {
    provision: ({ key }: TestSession) => provisionSandbox(world.worker({ harnesses }), key),
    replace: (digest: string) => {
      installed.clear()
      next = digest
    },
  }
}

const launchOf = async (session: TestSession) =>
  HarnessLaunch.parse(JSON.parse((await session.environment())[harnessVariable] ?? ''))

test('a command names its install by the store, which a sandbox has at a path of its own', async () => {
  const machine = openMachine()
  const session = await newSession(world, project, { harness: 'codex' })
  await machine.provision(session)
  const launch = await launchOf(session)
  expect(launch.command[1]).toMatch(/^\{harnesses\}\/codex\/first\//)
  expect(JSON.stringify(launch)).not.toContain('/data/')
  expect(placedIn(launch, '/opt/svc/harnesses').command[1]).toMatch(/^\/opt\/svc\/harnesses\/codex\/first\//)
})

test('a sandbox that starts again finds its program where it lies by then', async () => {
  const machine = openMachine()
  const session = await newSession(world, project, { harness: 'codex' })
  await machine.provision(session)
  await world.queue.drain()
  const leaving = world.as(project.owner.principal, { signal: AbortSignal.abort() })
  await stopSession(leaving, session.key)
  await world.queue.drain()
  const before = await session.environment()
  machine.replace('second')
  await startSession(leaving, session.key)
  await machine.provision(session)
  expect((await session.row()).status).toBe('running')
  expect((await launchOf(session)).command[1]).toMatch(/^\{harnesses\}\/codex\/second\//)
  const { [harnessVariable]: _, ...others } = await session.environment()
  const { [harnessVariable]: __, ...had } = before
  expect(others).toEqual(had)
})

test('an image that holds it is asked nothing more of, and one that does not is named with what to do', async () => {
  const session = await newSession(world, project, { harness: 'codex' })
  const { harness_version } = await session.row()
  const holding = (held: readonly string[]) => {
    const provider = { ...world.provider, name: 'images', harnesses: () => held }
    return provisionSandbox(world.worker({ provider }), session.key)
  }
  await holding([`codex@${harness_version}`])
  expect((await session.row()).status).toBe('running')
  expect((await launchOf(session)).command[1]).toContain(`{harnesses}/codex/${harness_version}/`)

  const other = await newSession(world, project, { harness: 'codex' })
  const provider = { ...world.provider, name: 'images', harnesses: () => ['codex@0.0.1'] }
  await provisionSandbox(world.worker({ provider }), other.key)
  expect((await other.row()).failure).toMatchObject({
    category: 'image',
    message: expect.stringMatching(
      /^Sandboxes of images do not hold Codex .*make-image\.mjs --harness codex$/,
    ),
  })
})

test('the program of a repository is started as the manifest names it', () => {
  const settings = FrozenHarness.parse({
    ...{ harness: 'mine', version: null, auth: 'secrets' },
    settings: {
      ...{ command: ['{harnesses}/x'], dialect: 'chat', env: {}, model_env: [] },
      ...{ mode: null, options: {}, variant: null },
    },
  })
  const own = harnessLaunch(settings, null)
  expect(placedIn(own, '/opt/svc/harnesses').command).toEqual(['{harnesses}/x'])
})
