import { formatToken } from '@svc/access'
import { authenticateStored, type Context, requireActor, setFeatures } from '@svc/context'
import { limits } from '@svc/contract'
import { tokens } from '@svc/db'
import { expect, test } from 'vitest'
import {
  archiveProject,
  authorizePreview,
  createPreviewTicket,
  deleteSession,
  findPreview,
  openPreview,
  stopSession,
  sweepPreviews,
} from '../../src/index.ts'
import { addMember, addOwner } from '../../src/testing/people.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession, runningSession, type TestSession } from '../../src/testing/sessions.ts'
import { userToken } from '../../src/testing/tokens.ts'
import { openWorld } from '../../src/testing/world.ts'

const previews = { scheme: 'http', host: 'preview.localhost:7700', name: 'preview.localhost' } as const
const world = await openWorld({ session_cap: 100, previews })
const project = await makeProject(world)
const tables = { project, session: await runningSession(world, project) }

const tokenOf = (ctx: Context) => userToken(world, { user_id: requireActor(ctx) })
const mine = await tokenOf(project.ctx)

const ticketFor = async (
  ctx = project.ctx,
  { session = tables.session, port = 3000, credential = mine.token } = {},
) => {
  const { url, expires_at } = await createPreviewTicket(ctx, { ...session.key, port, credential })
  const { hostname, searchParams } = new URL(url)
  return { url, expires_at, label: hostname.split('.')[0] ?? '', ticket: searchParams.get('ticket') ?? '' }
}

/** As each request of the preview is decided. */
async function look({ label, cookie }: { label: string; cookie: string }, path = '/') {
  const { credential, ...preview } = await findPreview(world.base, { label, cookies: ['other', cookie] })
  const ctx = world.as(await authenticateStored(world.base, credential))
  return authorizePreview(ctx, { ...preview, path })
}

async function opened(...given: Parameters<typeof ticketFor>) {
  const { label, ticket } = await ticketFor(...given)
  const { cookie } = await openPreview(world.base, { label, ticket })
  return { label, cookie }
}

test('a ticket is an address of its own that opens one port of one session', async () => {
  const { url, expires_at, label, ticket } = await ticketFor()
  expect(url).toMatch(/^http:\/\/[0-9a-f]{32}\.preview\.localhost:7700\/\?ticket=svc_prv_\w{49}$/)
  expect(Date.parse(expires_at) - world.clock.now().getTime()).toBe(60_000)
  const { cookie, max_age_seconds } = await openPreview(world.base, { label, ticket })
  expect(max_age_seconds).toBe(12 * 3600)
  const target = await look({ label, cookie }, '/a/../b?x')
  expect(target).toMatchObject({ endpoint: { url: world.daemon.url }, path: '/proxy/3000/b?x' })
  expect(target.external_id).toBe((await tables.session.row()).external_id)
  expect(
    JSON.parse(Buffer.from(target.user_context.split('.')[0] ?? '', 'base64url').toString()),
  ).toMatchObject({
    userId: project.owner.user_id,
    sandboxRole: 'owner',
  })
})

test('a ticket works once, within a minute, at its own host alone', async () => {
  const first = await ticketFor()
  const other = await ticketFor()
  const refused = { code: 'unauthorized', message: expect.stringContaining('works once, for a minute') }
  await expect(openPreview(world.base, { label: other.label, ticket: first.ticket })).rejects.toMatchObject(
    refused,
  )
  const tries = await Promise.allSettled(Array.from({ length: 5 }, () => openPreview(world.base, first)))
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(openPreview(world.base, first)).rejects.toMatchObject(refused)
  world.clock.advance(60_000)
  await expect(openPreview(world.base, other)).rejects.toMatchObject(refused)
})

test('neither a ticket nor a cookie of another preview, nor a made-up one, opens a preview', async () => {
  const { label, ticket } = await ticketFor()
  const other = await opened()
  const refused = { code: 'unauthorized' }
  await expect(look({ label, cookie: ticket })).rejects.toMatchObject(refused)
  const { cookie } = await openPreview(world.base, { label, ticket })
  for (const wrong of [
    ticket,
    other.cookie,
    '',
    'svc_prv_x',
    formatToken('svc_prv_', new Uint8Array(32)),
    mine.token,
  ])
    await expect(look({ label, cookie: wrong })).rejects.toMatchObject(refused)
  await expect(look({ label: other.label, cookie })).rejects.toMatchObject(refused)
  await expect(look({ label: '0'.repeat(32), cookie })).rejects.toMatchObject(refused)
  expect((await look({ label, cookie })).path).toBe('/proxy/3000/')
})

test('nothing that could sign in is stored', async () => {
  const { label, ticket } = await ticketFor()
  const { cookie } = await openPreview(world.base, { label, ticket })
  const rows = JSON.stringify(await world.db.selectFrom('session_previews').selectAll().execute())
  for (const secret of [ticket, cookie, mine.token]) expect(rows).not.toContain(secret)
})

test.each<[string, (session: TestSession) => Promise<unknown>, string]>([
  ['the session is stopped', ({ key }) => stopSession(project.ctx, key), 'SESSION_NOT_RUNNING'],
  ['the session is deleted', ({ key }) => deleteSession(project.ctx, key), 'not_found'],
])('once %s nothing is seen any more', async (_, end, code) => {
  const session = await runningSession(world, project)
  const preview = await opened(project.ctx, { session })
  await look(preview)
  world.queue.live = true
  await end(session)
  world.queue.live = false
  await expect(look(preview)).rejects.toMatchObject({ code })
})

test('once the token is revoked nothing is seen any more', async () => {
  const { token, token_id } = await tokenOf(project.ctx)
  const preview = await opened(project.ctx, { credential: token })
  await look(preview)
  await tokens.revoke(world.db, { kind: 'user', token_id, user_id: project.owner.user_id }, world.clock.now())
  await expect(look(preview)).rejects.toMatchObject({ code: 'session_token_revoked' })
})

test('once the person is no member any more, or the project is gone, nothing is seen', async () => {
  const elsewhere = await makeProject(world)
  const session = await runningSession(world, elsewhere)
  const member = await addMember(world, elsewhere, 'viewer')
  const viewer = world.as(member.principal)
  const credential = (await tokenOf(viewer)).token
  const theirs = await opened(viewer, { session, credential })
  const owners = await opened(elsewhere.ctx, { session, credential: (await tokenOf(elsewhere.ctx)).token })
  await look(theirs)
  await world.db.deleteFrom('project_members').where('user_id', '=', member.principal.user_id).execute()
  await expect(look(theirs)).rejects.toMatchObject({ code: 'not_found' })
  await look(owners)
  await archiveProject(elsewhere.ctx, elsewhere)
  await expect(look(owners)).rejects.toMatchObject({
    code: expect.stringMatching(/not_found|project_archived/),
  })
})

test('only who may read the session gets a ticket, and only while it runs', async () => {
  const stranger = await addOwner(world)
  const ask = (ctx: Context, session: TestSession, port = 3000) => ticketFor(ctx, { session, port })
  await expect(ask(world.as(stranger.principal), tables.session)).rejects.toMatchObject({ code: 'not_found' })
  const starting = await newSession(world, project)
  await expect(ask(project.ctx, starting)).rejects.toMatchObject({ code: 'session_starting' })
  for (const port of [22, 4096, 8000])
    await expect(ask(project.ctx, tables.session, port)).rejects.toMatchObject({ code: 'forbidden' })
  await setFeatures(project.ctx, { project_id: project.project_id, features: { previews: false } })
  await expect(ask(project.ctx, tables.session)).rejects.toMatchObject({ code: 'feature_disabled' })
  await setFeatures(project.ctx, { project_id: project.project_id, features: { previews: true } })
})

test('a platform without a host for previews says what its operator does', async () => {
  const { settings } = world.base
  const ctx = { ...project.ctx, settings: { ...settings, previews: null } }
  await expect(ticketFor(ctx)).rejects.toMatchObject({
    code: 'preview_host_missing',
    message: expect.stringContaining('SVC_PREVIEW_HOST'),
  })
})

test('a ticket leaves a line in the audit log, without the ticket', async () => {
  const session = await runningSession(world, project)
  const { ticket, label } = await ticketFor(project.ctx, { session, port: 5173 })
  const lines = await world.db
    .selectFrom('audit_events')
    .selectAll()
    .where('session_id', '=', session.session_id)
    .where('action', '=', 'createPreviewTicket')
    .execute()
  expect(lines).toMatchObject([
    { target: expect.stringMatching(/\/previews\/5173$/), details: { port: 5173 }, outcome: 'success' },
  ])
  expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${ticket}|${label}`))
})

test('a person has a bounded number of previews of a session: the oldest end', async () => {
  const session = await runningSession(world, project)
  const first = await opened(project.ctx, { session })
  await look(first)
  for (let n = 0; n < limits.previewsPerPerson - 1; n++) {
    world.clock.advance(1)
    await ticketFor(project.ctx, { session })
  }
  await look(first)
  const viewer = world.as((await addMember(world, project, 'viewer')).principal)
  await ticketFor(viewer, { session, credential: (await tokenOf(viewer)).token })
  await look(first)
  await Promise.all(Array.from({ length: 5 }, () => ticketFor(project.ctx, { session })))
  await expect(look(first)).rejects.toMatchObject({ code: 'unauthorized' })
  const { count } = await world.db
    .selectFrom('session_previews')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('session_id', '=', session.session_id)
    .where('user_id', '=', project.owner.user_id)
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBe(limits.previewsPerPerson)
})

test('what is over is swept, and only that', async () => {
  await sweepPreviews(world.base)
  const preview = await opened()
  await ticketFor()
  await ticketFor()
  world.clock.advance(60_000)
  expect(await sweepPreviews(world.base)).toBeGreaterThanOrEqual(2)
  await look(preview)
  world.clock.advance(limits.previewSeconds * 1000)
  await expect(look(preview)).rejects.toMatchObject({ code: 'unauthorized' })
  await sweepPreviews(world.base)
  expect(await world.db.selectFrom('session_previews').select('label').execute()).toEqual([])
})
