import { describe, expect, it } from 'vitest'
import { openWorld } from './support/open-world.ts'
import { projectId } from './support/records.ts'
import type { Answer } from './support/stub-api.ts'

const id = '11111111-1111-4111-8111-111111111111'
const account_id = '22222222-2222-4222-8222-222222222222'
const account = `/v1/accounts/${account_id}`
const ok = (body: unknown, status = 200): Answer => ({ status, body })
const { api, bodyOf, ...world } = await openWorld({
  'GET /v1/accounts/me': () => ok({ user_id: id, account_id, accounts: [] }),
})
const run = (...args: string[]) => world.run(args)

const minted = {
  token_id: id,
  name: 'laptop',
  kind: 'user',
  prefix: 'svc_pat_abcd',
  token: 'svc_pat_the-secret',
  project_id: null,
  expires_at: '2030-01-01T00:00:00.000Z',
  last_used_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
}

describe('tokens', () => {
  it('new prints the secret alone on stdout, and sends when it expires', async () => {
    api.routes['POST /v1/accounts/tokens'] = () => ok(minted, 201)
    const before = Date.now()
    const { code, stdout, stderr } = await run('tokens', 'new', 'laptop', '--expires', '90d')
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'svc_pat_the-secret\n' })
    expect(stderr).toContain('not shown again')
    expect(stderr).not.toContain('the-secret')
    const { name, expires_at } = Object(bodyOf('POST'))
    expect(name).toBe('laptop')
    expect(Date.parse(expires_at)).toBeGreaterThanOrEqual(before + 90 * 86_400_000)
  })

  it('new explains the key rules of the account', async () => {
    const message = 'This account wants an expiry on every key: give expires_at'
    api.routes['POST /v1/accounts/tokens'] = () =>
      ok({ error: true, message, status: 400, code: 'expiry_required' }, 400)
    expect(await run('tokens', 'new', 'laptop')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(message),
    })
  })

  it('refuses what is no duration', async () => {
    expect(await run('tokens', 'new', 'laptop', '--expires', 'soon')).toMatchObject({ code: 2 })
    expect(api.calls).toEqual([])
  })

  it('ls and revoke, of yours and of a project', async () => {
    const { token: _, ...shown } = minted
    const path = `/v1/projects/${projectId}/cli-token`
    api.routes['GET /v1/accounts/tokens'] = () => ok({ tokens: [shown] })
    api.routes[`GET ${path}`] = () => ok({ tokens: [] })
    api.routes[`DELETE /v1/accounts/tokens/${id}`] = () => ({ status: 204 })
    api.routes[`DELETE ${path}/${id}`] = () => ({ status: 204 })
    expect((await run('tokens', 'ls')).stdout).toMatch(/laptop\s+svc_pat_abcd\s+2030-01-01\S+\s+never/)
    expect(await run('tokens', 'ls', '--project', projectId)).toMatchObject({ code: 0, stdout: '' })
    expect((await run('tokens', 'revoke', id)).stdout).toBe(`Revoked ${id}\n`)
    expect((await run('tokens', 'revoke', id, '--project', projectId)).code).toBe(0)
    expect((await run('tokens', 'revoke')).code).toBe(2)
  })
})

it('gateway keys new, ls, limit, rotate and revoke', async () => {
  const path = `/v1/projects/${projectId}/gateway-keys`
  api.routes[`POST ${path}`] = () => ok({ ...minted, token: 'svc_gw_the-secret', expires_at: null }, 201)
  const limits = {
    requests_per_minute: 60,
    tokens_per_minute: null,
    concurrency: 2,
    models: ['acme/*', 'demo'],
  }
  const key = { ...minted, limits, rotated_from: null }
  api.routes[`GET ${path}`] = () => ok({ tokens: [key] })
  api.routes[`PATCH ${path}/${id}`] = () => ok(key)
  api.routes[`POST ${path}/${id}/rotate`] = () => ok({ ...key, token: 'svc_gw_the-other' }, 201)
  api.routes[`DELETE ${path}/${id}`] = () => ({ status: 204 })
  expect(await run('gateway', 'keys', 'new', 'laptop')).toMatchObject({
    code: 0,
    stdout: 'svc_gw_the-secret\n',
  })
  expect(bodyOf('POST')).toEqual({ name: 'laptop' })
  await run('gateway', 'keys', 'new')
  expect(api.calls.at(-1)?.body).toEqual({ name: expect.stringMatching(/^cli-.+-\d{4}-\d{2}-\d{2}$/) })
  await run('gateway', 'keys', 'new', 'ci', '--requests-per-minute', '60', '--models', 'acme/*, demo')
  expect(api.calls.at(-1)?.body).toEqual({
    name: 'ci',
    limits: { requests_per_minute: 60, models: ['acme/*', 'demo'] },
  })
  expect((await run('gateway', 'keys', 'ls')).stdout).toMatch(
    /laptop .*60 calls\/min · 2 at a time · acme\/\*,demo/,
  )
  await run('gateway', 'keys', 'limit', id, '--concurrency', 'none', '--name', 'other')
  expect(bodyOf('PATCH')).toEqual({ name: 'other', limits: { concurrency: null } })
  expect((await run('gateway', 'keys', 'limit', id, '--concurrency', 'few')).code).toBe(2)
  expect(await run('gateway', 'keys', 'rotate', id, '--grace', '1h')).toMatchObject({
    code: 0,
    stdout: 'svc_gw_the-other\n',
  })
  expect(api.calls.at(-1)?.body).toEqual({ grace_seconds: 3600 })
  expect((await run('gateway', 'keys', 'revoke', id)).code).toBe(0)
  expect((await run('gateway', 'keys')).code).toBe(2)
})

it('members invitations and uninvite', async () => {
  const until = '2030-01-01T00:00:00.000Z'
  const invitation = { invitation_id: id, account_id, email: 'ada@example.com', role: 'member' }
  api.routes[`GET ${account}/invitations`] = () => ok({ invitations: [{ ...invitation, expires_at: until }] })
  api.routes[`DELETE ${account}/invitations/${id}`] = () => ({ status: 204 })
  const { stdout } = await run('members', 'invitations')
  expect(stdout).toMatch(new RegExp(`ada@example.com\\s+member\\s+${until}\\s+${id}`))
  expect((await run('members', 'uninvite', id)).stdout).toBe(`Took back ${id}\n`)
  api.routes[`GET ${account}/invitations`] = () => ok({ invitations: [] })
  expect((await run('members', 'invitations')).stderr).toContain('svc members invite')
})

it('members ls, role, invite, join and grant', async () => {
  const member = { user_id: id, email: 'ada@example.com', name: 'Ada', role: 'member' }
  api.routes[`GET ${account}/members`] = () => ok({ members: [member] })
  api.routes[`PATCH ${account}/members/${id}`] = () => ok({ ...member, role: 'admin' })
  api.routes[`POST ${account}/invitations`] = () =>
    ok({ invitation_id: id, token: 'svc_inv_x', expires_at: '2030-01-01T00:00:00Z' }, 201)
  api.routes['POST /v1/accounts/invitations/accept'] = () => ok({ account_id, name: 'Shop', role: 'member' })
  api.routes[`PUT /v1/projects/${projectId}/members/${id}`] = () => ok(member)
  expect((await run('members', 'ls')).stdout).toMatch(/Ada\s+ada@example.com\s+member/)
  expect((await run('members', 'role', id, 'admin')).stdout).toBe(`${id} is admin\n`)
  expect((await run('members', 'role', id, 'king')).code).toBe(2)
  expect((await run('members', 'invite', 'ada@example.com')).stdout).toBe('svc_inv_x\n')
  expect((await run('members', 'join', 'svc_inv_x')).stdout).toContain('member of Shop')
  expect((await run('members', 'grant', id, 'editor')).code).toBe(0)
  expect(bodyOf('PUT')).toEqual({ role: 'editor' })
})

it('service-accounts new, key and ls', async () => {
  const path = `${account}/service-accounts`
  const robot = { service_account_id: id, account_id, name: 'robot', created_at: '2026-01-01T00:00:00Z' }
  api.routes[`POST ${path}`] = () => ok(robot, 201)
  api.routes[`GET ${path}`] = () => ok({ service_accounts: [robot] })
  api.routes[`POST ${path}/${id}/keys`] = () => ok({ ...minted, token: 'svc_sa_the-secret' }, 201)
  expect((await run('service-accounts', 'new', 'robot')).stdout).toBe(`${id}\n`)
  expect((await run('service-accounts', 'ls')).stdout).toContain('robot')
  expect((await run('service-accounts', 'key', id, 'ci')).stdout).toBe('svc_sa_the-secret\n')
})

describe('audit', () => {
  const event = {
    event_id: id,
    seq: 1,
    at: '2026-01-01T00:00:00.000Z',
    actor: { type: 'user', id, on_behalf_of: null },
    action: 'createToken',
    target: 'accounts/tokens/x',
    outcome: 'success',
  }

  it('ls sends its filters', async () => {
    api.routes[`GET ${account}/audit`] = () => ok({ events: [event], next_cursor: null })
    const filters = ['--outcome', 'denied', '--action', 'createToken', '--since', '2026-01-01']
    const { stdout } = await run('audit', 'ls', ...filters)
    expect(stdout).toMatch(/user 11111111\s+createToken\s+success\s+accounts\/tokens\/x/)
    const query = Object.fromEntries(api.calls.at(-1)?.query ?? [])
    expect(query).toEqual({
      outcome: 'denied',
      action: 'createToken',
      since: '2026-01-01T00:00:00.000Z',
      limit: '50',
    })
    expect((await run('audit', 'ls', '--since', 'yesterday')).code).toBe(2)
  })

  it('export passes the lines on as they come', async () => {
    const lines = `${JSON.stringify(event)}\n${JSON.stringify({ ...event, seq: 2 })}\n`
    api.routes[`GET ${account}/audit/export`] = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      response.end(lines)
      return undefined
    }
    expect(await run('audit', 'export')).toMatchObject({ code: 0, stdout: lines })
  })

  it('verify fails when the chain is broken', async () => {
    const path = `GET ${account}/audit/verify`
    api.routes[path] = () => ok({ valid: true, events: 7, head_hash: 'abc', broken: null })
    expect(await run('audit', 'verify')).toMatchObject({
      code: 0,
      stdout: '7 events hold; the last hash is abc\n',
    })
    const broken = { seq: 3, event_id: id, reason: 'hash' }
    api.routes[path] = () => ok({ valid: false, events: 2, head_hash: 'x', broken })
    expect(await run('audit', 'verify')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('broken at event 3 (hash)'),
    })
    const message = 'The plan of this account (free) does not hold auditAccess'
    api.routes[path] = () => ok({ error: true, message, status: 402, code: 'entitlement_required' }, 402)
    expect(await run('audit', 'verify')).toMatchObject({ code: 1, stderr: expect.stringContaining(message) })
  })
})
