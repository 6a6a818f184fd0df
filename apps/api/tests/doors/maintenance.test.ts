import { randomUUID } from 'node:crypto'
import type { Maintenance } from '@svc/context'
import { noMaintenance } from '@svc/context'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { openGit } from '../git/git-client.ts'
import { fakeDaemon, runSession, type RunningSession } from '../support/sandbox.ts'
import { hexOf, hookedProject } from '../support/webhooks.ts'

let current: Maintenance = noMaintenance
const { platform, api, ask, account_id, project_id, token, git, clone, change } = await openGit({
  maintenance: () => current,
})
const message = 'The database moves; back at noon.'
const enter = (mode: Maintenance['mode']) => {
  current = { mode, message, retry_after_seconds: 90, until: new Date(Date.now() + 60_000) }
}
afterEach(() => {
  current = noMaintenance
})

let session: RunningSession
beforeAll(async () => {
  const daemon = await fakeDaemon((_req, res) => res.end(), 'tcp')
  session = await runSession(platform, daemon)
  await daemon.close()
})

const refused = { status: 503, body: { error: true, code: 'maintenance', message, status: 503 } }

test('what is closed is refused with the words of the operator and the time to wait', async () => {
  enter('drain')
  const answer = await ask('POST', `/v1/projects/${project_id}/sessions`, {})
  expect(answer).toMatchObject(refused)
  expect(answer.headers.get('retry-after')).toBe('90')
  current = { ...current, message: null }
  expect((await ask('POST', `/v1/projects/${project_id}/sessions`, {})).pick('message')).toMatch(/Try again/)
})

test('health stays up and says it', async () => {
  expect((await platform.call('/v1/health')).body).toMatchObject({
    maintenance: { mode: 'off', message: null },
  })
  enter('read_only')
  const { status, body } = await platform.call('/v1/health')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    status: 'ok',
    maintenance: { mode: 'read_only', message, retry_after_seconds: 90 },
  })
})

test('read-only takes no write of a person, an agent or a directory, and every read', async () => {
  const scim = await ask('POST', `/v1/accounts/${account_id}/scim-tokens`, { name: 'directory' })
  enter('read_only')
  const agent = session.environment.SVC_CLI_TOKEN ?? ''
  const writes: readonly (readonly [method: string, path: string, by: string])[] = [
    ['POST', '/v1/projects/provision', token],
    ['PATCH', `/v1/projects/${project_id}`, token],
    ['PUT', `/v1/projects/${project_id}/secrets/A`, token],
    ['DELETE', `/v1/projects/${project_id}`, token],
    ['POST', `/v1/projects/${session.project_id}/change-requests`, agent],
    ['POST', `/scim/v2/accounts/${account_id}/Users`, scim.pick('token')],
  ]
  for (const [method, path, by] of writes) {
    const answer = await platform.call(path, { method, token: by, json: { name: 'x', value: 'x' } })
    expect([path, answer.status, answer.text]).toEqual([path, 503, expect.stringContaining(message)])
  }
  for (const path of ['/v1/projects', `/v1/projects/${project_id}`, `/v1/projects/${project_id}/sessions`])
    expect((await ask('GET', path)).status).toBe(200)
})

test('read-only takes no push of a person, and every clone', async () => {
  const one = await clone(token)
  await change(one, 'x.txt', 'x\n')
  const push = () => git(['-C', one, 'push', '-q', 'origin', 'HEAD:refs/heads/closed'], token)
  enter('read_only')
  expect(await push()).toMatchObject({ code: 128, text: expect.stringContaining('503') })
  await clone(token)
  enter('drain')
  expect(await push()).toMatchObject({ code: 0 })
})

test('read-only leaves the sign-in open, and what sandboxes report', async () => {
  enter('read_only')
  const signIn = { method: 'POST', json: { email: 'none@svc.invalid', password: 'a wrong one 12345' } }
  expect((await platform.call('/v1/auth/sign-in/password', signIn)).status).toBe(401)
  const report = { method: 'POST', token: session.environment.SVC_SANDBOX_TOKEN ?? '', json: {} }
  const answer = await platform.call(`/v1/projects/${session.project_id}/turn-stream`, report)
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
})

test('a webhook is kept and answered with 202', async () => {
  const hooked = await hookedProject(platform, { hook: {} })
  enter('read_only')
  const body = Buffer.from(JSON.stringify({ id: randomUUID() }))
  const answer = await fetch(`${api.origin}/v1/webhooks/projects/${hooked}/hook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-svc-signature': `sha256=${hexOf(body)}` },
    body,
  })
  expect([answer.status, await answer.json()]).toEqual([202, { status: 'queued', reason: 'maintenance' }])
})
