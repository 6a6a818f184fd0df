import { createECDH, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { notifications } from '@svc/db'
import { pushNotifications } from '@svc/notifications/worker'
import { addMember, makeProject, newSession, openWorld } from '@svc/services/testing'
import { afterAll, expect, test } from 'vitest'
import { announcePresence, getPushKey, subscribeToPush, unsubscribeFromPush } from '../src/index.ts'
import { decryptPush } from './decrypt-push.ts'
import { ask, notificationWorker } from './support.ts'

const world = await openWorld({ outbound_addresses: ['127.0.0.0/8'] })
const worker = await notificationWorker(world)

/** A browser and the push service behind it: it decrypts as RFC 8291 says. */
async function startBrowser(status = 201) {
  const pair = createECDH('prime256v1')
  const p256dh = pair.generateKeys()
  const auth = randomBytes(16)
  const received: { readonly headers: IncomingHttpHeaders; readonly body: Record<string, unknown> }[] = []
  const answer = { status }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({
        headers: request.headers,
        body: JSON.parse(decryptPush(Buffer.concat(chunks), pair, auth)),
      })
      response.writeHead(answer.status).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => void server.close())
  const { port } = Object(server.address())
  const subscription = {
    endpoint: `http://127.0.0.1:${port}/send/${randomBytes(6).toString('hex')}`,
    keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') },
  }
  return { subscription, received, answer }
}

async function scene() {
  const project = await makeProject(world)
  const ada = await addMember(world, project, 'editor')
  const ctx = world.as(ada.principal)
  const session = await newSession(world, project, { name: 'Fix the typo' }, ctx)
  await world.queue.drain()
  const asked = async (question = 'Which one?') => {
    await ask(world, session, question)
    await worker.publish(project.account_id)
  }
  return { project, ctx, session, asked }
}

test('a browser that asked for it is pushed to, encrypted for it alone, once', async () => {
  const { ctx, session, asked } = await scene()
  const browser = await startBrowser()
  const { public_key } = await getPushKey(ctx)
  expect(Buffer.from(public_key, 'base64url')).toHaveLength(65)
  expect((await getPushKey(ctx)).public_key).toBe(public_key)
  await subscribeToPush(ctx, browser.subscription)
  await asked('Which database?')
  await pushNotifications(worker.ctx)
  await pushNotifications(worker.ctx)
  expect(browser.received).toHaveLength(1)
  const [{ headers, body } = { headers: {}, body: {} }] = browser.received
  expect(headers).toMatchObject({
    ttl: '86400',
    urgency: 'high',
    topic: session.session_id.replaceAll('-', ''),
  })
  expect(headers.authorization).toContain(`k=${public_key}`)
  expect(body).toMatchObject({
    kind: 'needs_me',
    title: 'Fix the typo',
    text: 'Which database?',
    url: `https://svc.example.test/dashboard/projects/${session.key.project_id}/sessions/${session.session_id}`,
    tag: session.session_id,
  })
})

test('nothing is pushed while a page shows the session, or to a browser that was turned off', async () => {
  const { ctx, session, asked } = await scene()
  const browser = await startBrowser()
  await subscribeToPush(ctx, browser.subscription)
  await announcePresence(ctx, session.key)
  await asked()
  world.clock.advance(46_000)
  await pushNotifications(worker.ctx)
  expect(browser.received).toEqual([])
  await unsubscribeFromPush(ctx, browser.subscription)
  await asked()
  await pushNotifications(worker.ctx)
  expect(browser.received).toEqual([])
})

test('a worker that dies in the middle leaves the push to the next one', async () => {
  const { ctx, asked } = await scene()
  const browser = await startBrowser()
  await subscribeToPush(ctx, browser.subscription)
  await asked()
  // Taken by a worker that is never heard of again.
  await notifications.claimPushes(world.db, { now: world.clock.now(), lease_ms: 60_000, limit: 100 })
  await pushNotifications(worker.ctx)
  expect(browser.received).toEqual([])
  world.clock.advance(61_000)
  await pushNotifications(worker.ctx)
  expect(browser.received).toHaveLength(1)
})

test.each([404, 410])('a push service that answers %i is told no more', async (status) => {
  const { ctx, asked } = await scene()
  const browser = await startBrowser(status)
  await subscribeToPush(ctx, browser.subscription)
  await asked()
  await pushNotifications(worker.ctx)
  await asked()
  await pushNotifications(worker.ctx)
  expect(browser.received).toHaveLength(1)
})

test('one that fails five times in a row is told no more, and one success counts anew', async () => {
  const { ctx, asked } = await scene()
  const browser = await startBrowser(500)
  await subscribeToPush(ctx, browser.subscription)
  const push = async () => {
    await asked()
    await pushNotifications(worker.ctx)
  }
  for (let n = 0; n < 4; n++) await push()
  browser.answer.status = 201
  await push()
  browser.answer.status = 500
  for (let n = 0; n < 7; n++) await push()
  expect(browser.received).toHaveLength(10)
})

test('a browser of another network, one that is none, and the eleventh are refused', async () => {
  const { ctx } = await scene()
  const { subscription } = await startBrowser()
  const refusedFor = (change: object) =>
    subscribeToPush(ctx, { ...subscription, ...change }).catch((error: unknown) => error)
  expect(await refusedFor({ endpoint: 'https://10.1.2.3/send' })).toMatchObject({
    code: 'address_not_allowed',
  })
  expect(await refusedFor({ endpoint: 'nowhere' })).toMatchObject({ code: 'invalid_request' })
  expect(await refusedFor({ keys: { ...subscription.keys, auth: 'AA' } })).toMatchObject({
    code: 'invalid_request',
  })
  expect(await refusedFor({ keys: { ...subscription.keys, p256dh: 'AA' } })).toMatchObject({
    code: 'invalid_request',
  })
  for (let n = 0; n < 10; n++)
    await subscribeToPush(ctx, { ...subscription, endpoint: `${subscription.endpoint}/${n}` })
  expect(await refusedFor({})).toMatchObject({ code: 'conflict' })
  // One that is known already may renew its keys.
  await subscribeToPush(ctx, { ...subscription, endpoint: `${subscription.endpoint}/3` })
})
