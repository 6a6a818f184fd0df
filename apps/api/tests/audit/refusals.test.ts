import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson, hashOf, mint, mintForApp, mintSignIn, newSecret } from '../support/credentials.ts'
import { type Ids, makeObjects } from '../support/objects.ts'
import { type FakeDaemon, fakeDaemon, type RunningSession, runSession } from '../support/sandbox.ts'
import { openWorld } from '../support/world.ts'

const { platform, api, account_id } = await openWorld()
let objects: Ids
let daemon: FakeDaemon
let session: RunningSession

const answers: RequestListener = (req, res) => {
  res.writeHead(req.url?.includes('refused') ? 409 : 202).end('{}')
}

beforeAll(async () => {
  objects = await makeObjects(platform, platform.owner, account_id)
  daemon = await fakeDaemon(answers, 'tcp')
  session = await runSession(platform, daemon)
})
afterAll(async () => {
  await daemon.close()
})

const db = () => platform.database.db
const past = () => new Date(Date.now() - 1000)

/** The events of the request with this id; the log is written before or just after the answer. */
const eventsOf = (request_id: string) =>
  db().selectFrom('audit_events').selectAll().where('request_id', '=', request_id).orderBy('seq').execute()

async function ask(path: string, token: string, init: RequestInit = {}) {
  const request_id = randomUUID()
  const headers = { authorization: `Bearer ${token}`, 'x-request-id': request_id, ...init.headers }
  const response = await fetch(api.origin + path, { ...init, headers })
  await response.arrayBuffer()
  return { status: response.status, request_id }
}

describe('a credential that is over', () => {
  const user_id = () => platform.owner.user_id
  const ended = (): Record<string, () => Promise<string>> => ({
    'a revoked user token': async () =>
      (await mint(db(), { kind: 'user', user_id: user_id(), revoked_at: past() })).token,
    'an expired project token': async () => {
      const { project_id = '' } = objects
      return (await mint(db(), { kind: 'project', user_id: user_id(), project_id, expires_at: past() })).token
    },
    'a revoked session token': async () => {
      const { project_id = '', session_id = '' } = objects
      const row = { kind: 'session', user_id: user_id(), project_id, session_id } as const
      return (await mint(db(), { ...row, revoked_at: past() })).token
    },
    'a revoked service account key': async () => {
      const row = { kind: 'service', user_id: objects['service_account_id'] ?? '', account_id } as const
      return (await mint(db(), { ...row, revoked_at: past() }, 'svc_sa_')).token
    },
    'a sign-in that ended': async () =>
      (await mintSignIn(db(), { user_id: user_id(), ended_at: past() })).access,
    'an approval that ended': () => mintForApp(db(), { user_id: user_id(), scope: 'svc', ended: true }),
  })

  test.each(Object.keys(ended()))('%s leaves one event a minute', async (name) => {
    const token = (await ended()[name]?.()) ?? ''
    const path = `/v1/projects/${objects['project_id']}`
    const first = await ask(path, token)
    expect(first.status).toBe(401)
    expect(await eventsOf(first.request_id)).toMatchObject([
      { account_id, action: 'getProject', outcome: 'denied', details: { status: 401 } },
    ])
    const second = await ask(path, token)
    expect(second.status).toBe(401)
    expect(await eventsOf(second.request_id)).toEqual([])
  })

  test.each(['git', 'proxy', 'scim'])('is written down where the API is left: %s', async (where) => {
    const directory = { kind: 'scim', user_id: user_id(), account_id } as const
    const { token } =
      where === 'scim'
        ? await mint(db(), { ...directory, revoked_at: past() }, 'svc_scim_')
        : await mint(db(), { kind: 'user', user_id: user_id(), revoked_at: past() })
    const paths: Readonly<Record<string, readonly [path: string, action: string]>> = {
      git: [`/v1/git/${objects['project_id']}.git/info/refs?service=git-receive-pack`, 'gitPush'],
      proxy: [`/v1/p/${session.external_id}/3000/`, 'proxySandbox'],
      scim: [`/scim/v2/accounts/${account_id}/Users`, 'authenticate'],
    }
    const [path = '', action] = paths[where] ?? []
    const { status, request_id } = await ask(path, token)
    expect(status).toBe(401)
    expect(await eventsOf(request_id)).toMatchObject([{ account_id, action, outcome: 'denied' }])
  })
})

test('an app that lacks the scope is written down each time', async () => {
  const token = await mintForApp(db(), { user_id: platform.owner.user_id, scope: 'openid' })
  for (let n = 0; n < 2; n += 1) {
    const { status, request_id } = await ask('/v1/projects', token)
    expect(status).toBe(403)
    expect(await eventsOf(request_id)).toMatchObject([
      { action: 'listProjects', outcome: 'denied', details: { oauth_client_id: 'an-app', status: 403 } },
    ])
  }
})

test('a sandbox that speaks for another session is written down', async () => {
  const token = newSecret('svc_sbx_')
  await db()
    .updateTable('session_sandboxes')
    .set({ service_key_hash: hashOf(token) })
    .where('session_id', '=', objects['session_id'] ?? '')
    .execute()
  const { project_id, session_id } = session
  const { status, request_id } = await ask(`/v1/projects/${project_id}/turn-stream`, token, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ session_id, kind: 'execution_lease_release' }),
  })
  expect(status).toBe(403)
  expect(await eventsOf(request_id)).toMatchObject([{ actor_type: 'sandbox', outcome: 'denied' }])
})

describe('the sandbox proxy', () => {
  const at = (path: string) => `/v1/p/${session.external_id}${path}`

  test.each([
    ['POST', '/8000/svc/runtime/prompt', 'runtime/svc/runtime/prompt'],
    ['POST', '/8000/svc/runtime/act', 'runtime/svc/runtime/act'],
    ['DELETE', '/8000/session/x', 'runtime/session/x'],
  ])('%s %s is written down before the agent hears it', async (method, path, what) => {
    const { status, request_id } = await ask(at(path), platform.owner.token, { method })
    expect(status).toBe(202)
    const { project_id, session_id } = session
    expect(await eventsOf(request_id)).toMatchObject([
      {
        ...{ account_id, project_id, session_id, actor_id: platform.owner.user_id, action: 'callRuntime' },
        ...{ target: `projects/${project_id}/sessions/${session_id}/${what}`, outcome: 'success' },
        ...{ details: { method }, ip: '127.0.0.1' },
      },
    ])
  })

  test.each([
    ['GET', '/8000/svc/runtime/state'],
    ['POST', '/3000/api'],
  ])('%s %s changes nothing of the platform and leaves no event', async (method, path) => {
    const { status, request_id } = await ask(at(path), platform.owner.token, { method })
    expect(status).toBe(202)
    expect(await eventsOf(request_id)).toEqual([])
  })

  test('what the agent did not take is written down as failed too', async () => {
    const path = at('/8000/svc/runtime/prompt?refused')
    const { status, request_id } = await ask(path, platform.owner.token, { method: 'POST' })
    expect(status).toBe(409)
    await expect
      .poll(async () => (await eventsOf(request_id)).map(({ outcome }) => outcome))
      .toEqual(['success', 'failed'])
  })

  test('the agent hears nothing that cannot be written down', async () => {
    const before = daemon.requests.length
    await db().schema.alterTable('audit_heads').renameTo('away').execute()
    try {
      const { status } = await ask(at('/8000/svc/runtime/prompt'), platform.owner.token, { method: 'POST' })
      expect(status).toBe(500)
    } finally {
      await db().schema.alterTable('away').renameTo('audit_heads').execute()
    }
    expect(daemon.requests).toHaveLength(before)
  })

  test('who may not is written down, in the log of their own account', async () => {
    const stranger = await platform.stranger()
    const viewer = await addPerson(platform.parts.db, account_id, 'member')
    await db()
      .insertInto('project_members')
      .values({ ...viewerOf(viewer.user_id), created_at: new Date() })
      .execute()
    for (const [token, path, method, status] of [
      [stranger.token, '/3000/', 'GET', 404],
      [platform.owner.token, '/22/', 'GET', 403],
      [viewer.token, '/8000/svc/runtime/prompt', 'POST', 403],
    ] as const) {
      const answer = await ask(at(path), token, { method })
      expect(answer.status, path).toBe(status)
      const [event, ...more] = await eventsOf(answer.request_id)
      expect(event, path).toMatchObject({ action: 'proxySandbox', outcome: 'denied', details: { status } })
      expect(event?.account_id === account_id, path).toBe(token !== stranger.token)
      expect(more).toEqual([])
    }
  })

  const viewerOf = (user_id: string) => ({ user_id, project_id: session.project_id, role: 'viewer' as const })
})
