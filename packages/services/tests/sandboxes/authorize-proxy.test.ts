import { createHmac, randomUUID } from 'node:crypto'
import { authenticate } from '@svc/context'
import type { ServiceError } from '@svc/errors'
import { expect, test } from 'vitest'
import { authorizeProxy, startSession, stopSession } from '../../src/index.ts'
import { addMember, addOwner, agentPrincipal } from '../../src/testing/people.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { runningSession } from '../../src/testing/sessions.ts'
import { projectToken } from '../../src/testing/tokens.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const project = await makeProject(world)
const session = await runningSession(world, project)
const external_id = (await session.row()).external_id ?? ''
const viewer = world.as((await addMember(world, project, 'viewer')).principal)
const manager = world.as((await addMember(world, project, 'manager')).principal)

const go = (path: string, { ctx = project.ctx, port = 8000, method = 'GET' } = {}) =>
  authorizeProxy(ctx, { external_id, port, path, method })

test('a request goes on with a context that the platform signed', async () => {
  const { SVC_SANDBOX_TOKEN = '' } = await session.environment()
  const target = await go('/svc/runtime/prompt', { method: 'POST' })
  expect(target).toMatchObject({ endpoint: { url: world.daemon.url }, path: '/svc/runtime/prompt' })
  const [text = '', mac] = target.user_context.split('.')
  expect(mac).toBe(createHmac('sha256', SVC_SANDBOX_TOKEN).update(text).digest('base64url'))
  const iat = world.clock.now().getTime() / 1000
  expect(JSON.parse(Buffer.from(text, 'base64url').toString())).toEqual({
    userId: project.owner.user_id,
    sandboxId: session.session_id,
    sandboxRole: 'owner',
    scopes: ['read', 'write'],
    iat,
    exp: iat + 60,
  })
})

test('a viewer looks on, a manager does what the owner does', async () => {
  expect((await go('/svc/health', { ctx: viewer })).path).toBe('/svc/health')
  expect((await go('/svc/runtime/events?after=3', { ctx: viewer })).path).toBe('/svc/runtime/events?after=3')
  expect((await go('/', { ctx: viewer, port: 3000 })).path).toBe('/proxy/3000/')
  for (const [path, method] of [
    ['/svc/runtime/prompt', 'POST'],
    ['/svc/runtime/act', 'POST'],
    ['/svc/runtime/../../session', 'GET'],
    ['/session', 'GET'],
    ['/svc/runtime/..%2f..%2fsession', 'GET'],
  ] as const) {
    await expect(go(path, { ctx: viewer, method })).rejects.toMatchObject({ code: 'forbidden' })
    expect((await go('/svc/runtime/prompt', { ctx: manager, method: 'POST' })).path).toBe(
      '/svc/runtime/prompt',
    )
  }
})

test('who drives the session has its daemon refresh and abort; its environment is nobody’s to set', async () => {
  for (const path of ['/svc/refresh', '/svc/abort']) {
    expect(await go(path, { method: 'POST' })).toMatchObject({ path, entry: { action: 'callRuntime' } })
    expect((await go(path, { method: 'POST', ctx: manager })).path).toBe(path)
    await expect(go(path, { method: 'POST', ctx: viewer })).rejects.toMatchObject({ code: 'forbidden' })
  }
  for (const path of ['/svc/env', '/svc/drain', '/svc/withdraw', '/svc/refresh/x', '/svc/ABORT'])
    await expect(go(path, { method: 'POST' })).rejects.toMatchObject({ code: 'not_found' })
})

test.each([22, 4096])('port %i is never proxied', async (port) => {
  await expect(go('/', { port })).rejects.toMatchObject({ code: 'forbidden' })
})

test.each([0, -1, 65_536, 1.5, Number.NaN])('%d is no port', async (port) => {
  await expect(go('/', { port })).rejects.toMatchObject({ code: 'not_found' })
})

test.each([
  '/svc/env',
  '/svc/refresh',
  '/svc',
  '/svc/',
  '/svc/runtime/../env',
  '/svc/runtime/..%2fenv',
  '/svc/runtime/%2e%2e/env',
  '//svc/env',
  '/svc//env',
  '/svc%2Fenv',
  '/%73vc/env',
  '/x/..%2fsvc/env',
  '/svc\\env',
  '/proxy/4096/session',
  '/proxy/22/',
  '//proxy/22/',
  '/svc/healthy',
])('%s is of the daemon itself', async (path) => {
  await expect(go(path)).rejects.toMatchObject({ code: 'not_found' })
})

test("a client's own context is dropped, the rest of the query stays as it was written", async () => {
  const path = async (text: string) => (await go(text, { port: 3000 })).path
  expect(await path('/a.ts?import&t=1%202+3')).toBe('/proxy/3000/a.ts?import&t=1%202+3')
  expect(await path('/a?__svc_user_context=x.y')).toBe('/proxy/3000/a')
  expect(await path('/a?raw&__svc_user_context=x&b=%20&__svc_user%5Fcontext=y')).toBe(
    '/proxy/3000/a?raw&b=%20',
  )
  expect(await path('/../../8000/svc/env')).toBe('/proxy/3000/8000/svc/env')
})

test('who has no business there finds nothing', async () => {
  const stranger = world.as((await addOwner(world)).principal)
  await expect(go('/svc/health', { ctx: stranger })).rejects.toMatchObject({ code: 'not_found' })
  await expect(
    authorizeProxy(project.ctx, { external_id: 'sbx_none', port: 8000, path: '/', method: 'GET' }),
  ).rejects.toMatchObject({ code: 'not_found' })
  const other = await runningSession(world, project)
  const own = agentPrincipal({ ...session.key, created_by: session.created_by }, [
    'project.read',
    'project.session.read',
  ])
  const foreign = agentPrincipal({ ...other.key, created_by: other.created_by }, [
    'project.read',
    'project.session.read',
  ])
  expect((await go('/svc/health', { ctx: world.as(own) })).path).toBe('/svc/health')
  await expect(go('/svc/health', { ctx: world.as(foreign) })).rejects.toMatchObject({ code: 'not_found' })
  await expect(go('/svc/health', { ctx: await other.daemon() })).rejects.toMatchObject({ code: 'forbidden' })
  const elsewhere = await makeProject(world, project.owner)
  const token = await projectToken(world, elsewhere)
  const bound = world.as(await authenticate(world.base, token))
  await expect(go('/svc/health', { ctx: bound })).rejects.toMatchObject({ code: 'not_found' })
})

test('a session that does not run says so', async () => {
  world.queue.live = true
  await stopSession(project.ctx, session.key)
  await expect(go('/svc/health')).rejects.toMatchObject({
    code: 'SESSION_NOT_RUNNING',
    message: expect.stringMatching(/stopped.*start it/),
    details: { session_id: session.session_id },
  })
  // Looking at it, however often, wakes no sandbox.
  await world.queue.settled()
  expect(await session.row()).toMatchObject({ status: 'stopped' })
  world.queue.live = false
  await startSession(world.as(project.owner.principal, { signal: AbortSignal.abort() }), session.key)
  await expect(go('/svc/health')).rejects.toMatchObject({
    code: 'session_starting',
    details: { retry_after: 2 },
  })
})

test('a sandbox of others answers in every word as one that is not there', async () => {
  const other = await makeProject(world)
  const robot = await addMember(world, other, 'manager')
  const bound = await projectToken(world, other)
  const callers = {
    'its owner of another account': world.as((await addOwner(world)).principal),
    'a manager of another project': world.as(robot.principal),
    'a token of another project': world.as(await authenticate(world.base, bound)),
    'an agent of another project': world.as(
      agentPrincipal({ ...other, session_id: randomUUID(), created_by: other.owner.user_id }, [
        'project.session.read',
      ]),
    ),
  }
  for (const [name, ctx] of Object.entries(callers)) {
    const ends = [external_id, 'none'].map((id) =>
      authorizeProxy(ctx, { external_id: id, port: 3000, path: '/', method: 'GET' }).then(
        () => 'let in',
        ({ code, message, details }: ServiceError) => ({ code, message, details }),
      ),
    )
    const [foreign, unknown] = await Promise.all(ends)
    expect(foreign, name).toEqual({
      code: 'not_found',
      message: 'There is no such sandbox; the session has the external_id of its own',
      details: {},
    })
    expect(foreign, name).toEqual(unknown)
  }
})
