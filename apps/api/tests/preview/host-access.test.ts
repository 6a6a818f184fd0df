import { expect, test } from 'vitest'
import { runSession } from '../support/sandbox.ts'
import { openPreviews } from './previews.ts'

const { platform, daemon, ask, opened, last } = await openPreviews()

test('a preview shows one port of one session to the browser that opened it, and to no other', async () => {
  const mine = await opened()
  const other = await opened()
  expect(await ask(mine.host, '/')).toMatchObject({ status: 401 })
  expect(await ask(mine.host, '/', { headers: { cookie: other.cookie } })).toMatchObject({ status: 401 })
  const both = `${other.cookie}; svc_preview=x; ${mine.cookie}`
  expect(await ask(mine.host, '/', { headers: { cookie: both } })).toMatchObject({ status: 200 })
  for (const path of ['/../8000/svc/env', '/..%2f..%2f8000/svc/env', '/v1/p/x/22/', '/proxy/22/']) {
    await mine.look(path)
    expect(last().url, path).toMatch(/^\/proxy\/3000\//)
  }
})

test('a revoked token shows nothing from the next request on', async () => {
  const { call, owner } = platform
  const made = await call('/v1/accounts/tokens', {
    method: 'POST',
    token: owner.token,
    json: { name: 'browser' },
  })
  const { look } = await opened(made.pick('token'))
  expect(await look()).toMatchObject({ status: 200 })
  const revoked = await call(`/v1/accounts/tokens/${made.pick('token_id')}`, {
    method: 'DELETE',
    token: owner.token,
  })
  expect(revoked.status).toBe(204)
  const answer = await look()
  expect(answer.status).toBe(401)
  expect(JSON.parse(answer.text)).toMatchObject({ code: 'session_token_revoked' })
  const denials = await platform.parts.db
    .selectFrom('audit_events')
    .select(['action', 'outcome', 'target'])
    .where('action', '=', 'showPreview')
    .execute()
  expect(denials).toEqual([
    { action: 'showPreview', outcome: 'denied', target: expect.stringMatching(/\/previews\/3000$/) },
  ])
})

test('a stopped session, and then a deleted project, show nothing from the next request on', async () => {
  const own = await runSession(platform, daemon)
  const { look } = await opened(undefined, own)
  expect(await look()).toMatchObject({ status: 200 })
  const { db } = platform.parts
  const stopped = { status: 'stopped', stopped_at: new Date() } as const
  await db.updateTable('project_sessions').set(stopped).where('session_id', '=', own.session_id).execute()
  expect(await look()).toMatchObject({ status: 409, text: expect.stringContaining('SESSION_NOT_RUNNING') })
  const gone = await platform.call(`/v1/projects/${own.project_id}`, {
    method: 'DELETE',
    token: platform.owner.token,
  })
  expect(gone.status, gone.text).toBeLessThan(300)
  expect(await look()).toMatchObject({ status: 404 })
})
