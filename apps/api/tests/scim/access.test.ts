import { randomUUID } from 'node:crypto'
import { accountDomains, members, projects, userCredentials } from '@svc/db'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson, mint, mintForApp, mintSignIn, newSecret, type Person } from '../support/credentials.ts'
import {
  groupSchema,
  messages,
  type ScimPlatform,
  scimPlatform,
  upgrade,
  userSchema,
} from '../support/scim.ts'

let scim: ScimPlatform
let project_id: string
let other_project_id: string
let rival: Person
let rival_account: string
let rival_directory: string

beforeAll(async () => {
  scim = await scimPlatform()
  const { call, owner } = scim.platform
  const provision = async (name: string) =>
    (await call('/v1/projects/provision', { method: 'POST', token: owner.token, json: { name } })).pick(
      'project_id',
    )
  project_id = await provision('One')
  other_project_id = await provision('Two')
  rival = await scim.platform.stranger()
  rival_account = (await call('/v1/accounts/me', { token: rival.token })).pick('account_id')
})
afterAll(() => scim.close())

const db = () => scim.platform.parts.db
const v1 = (path: string, token: string, method = 'GET', json?: unknown) =>
  scim.platform.call(`/v1${path}`, { method, token, ...(json === undefined ? {} : { json }) })
const off = { op: 'replace', path: 'active', value: false }
const on = { op: 'replace', path: 'active', value: true }

async function events(account_id: string, action: string) {
  return db()
    .selectFrom('audit_events')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('action', '=', action)
    .orderBy('seq', 'desc')
    .execute()
}

describe('tokens of a directory', () => {
  const tokens = () => `/accounts/${scim.account_id}/scim-tokens`

  test('admins mint, list and revoke them; the secret is shown once and is over at once', async () => {
    const { token } = scim.platform.owner
    const minted = await v1(tokens(), token, 'POST', { name: 'second' })
    expect(minted).toMatchObject({ status: 201, body: { kind: 'scim', name: 'second' } })
    expect(minted.pick('scim_url')).toMatch(new RegExp(`/scim/v2/accounts/${scim.account_id}$`))
    const secret = minted.pick('token')
    expect(secret).toMatch(/^svc_scim_\w{49}$/)
    const listed = await v1(tokens(), token)
    expect(listed.text).toContain(minted.pick('token_id'))
    expect(listed.text).not.toContain(secret)
    expect(await scim.ask('GET', '/Users', undefined, { token: secret })).toMatchObject({ status: 200 })
    expect(await v1(`${tokens()}/${minted.pick('token_id')}`, token, 'DELETE')).toMatchObject({ status: 204 })
    expect(await scim.ask('GET', '/Users', undefined, { token: secret })).toMatchObject({ status: 401 })
    const rows = await db().selectFrom('tokens').selectAll().where('kind', '=', 'scim').execute()
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(scim.platform.lines.join('\n')).not.toContain(secret)
  })

  test('a plan without scim mints none, and ends what one that was minted before reaches (402)', async () => {
    const path = `/accounts/${rival_account}/scim-tokens`
    const refused = await v1(path, rival.token, 'POST', { name: 'x' })
    expect(refused).toMatchObject({
      status: 402,
      body: { code: 'entitlement_required', entitlement: 'scim' },
    })
    await upgrade(scim.platform, rival_account, 'enterprise')
    rival_directory = (await v1(path, rival.token, 'POST', { name: 'x' })).pick('token')
    const options = { token: rival_directory, account_id: rival_account }
    expect(await scim.ask('GET', '/Users', undefined, options)).toMatchObject({ status: 200 })
    await upgrade(scim.platform, rival_account, 'free')
    const ended = await scim.ask('GET', '/Users', undefined, options)
    expect(ended).toMatchObject({ status: 402, body: { schemas: [`${messages}:Error`], status: '402' } })
    const [event] = await events(rival_account, 'listScimUsers')
    expect(event).toMatchObject({ outcome: 'denied', actor_type: 'scim', details: { status: 402 } })
    await upgrade(scim.platform, rival_account, 'enterprise')
  })
})

const routes: readonly (readonly [string, string])[] = [
  ...[
    '/ServiceProviderConfig',
    '/ResourceTypes',
    '/ResourceTypes/User',
    '/Schemas',
    `/Schemas/${userSchema}`,
  ].map((path) => ['GET', path] as const),
  ...['/Users', '/Groups'].flatMap((kind) => [
    ['GET', kind] as const,
    ['POST', kind] as const,
    ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, `${kind}/{id}`] as const),
  ]),
  ['GET', '/Me'],
  ['POST', '/Bulk'],
]

test('every route refuses every other credential, and says nothing to any of them (401)', async () => {
  const { user_id, token } = scim.platform.owner
  const past = new Date(Date.now() - 1000)
  const account = { kind: 'scim' as const, user_id, account_id: scim.account_id }
  const others: Readonly<Record<string, string | null>> = {
    none: null,
    'a user token of the owner': token,
    'a sign-in of the owner': (await mintSignIn(db(), { user_id })).access,
    'an app of the owner': await mintForApp(db(), { user_id, scope: 'svc' }),
    'a project token': (await mint(db(), { kind: 'project', user_id, project_id })).token,
    'a gateway key': (await mint(db(), { kind: 'gateway', user_id, project_id }, 'svc_gw_')).token,
    'a token of nobody': newSecret('svc_scim_'),
    'a malformed one': 'svc_scim_nonsense',
    'a revoked one': (await mint(db(), { ...account, revoked_at: past }, 'svc_scim_')).token,
    'an expired one': (await mint(db(), { ...account, expires_at: past }, 'svc_scim_')).token,
    'a user token that looks like one': (await mint(db(), { kind: 'user', user_id }, 'svc_scim_')).token,
  }
  const tries = routes.flatMap((route) =>
    Object.entries(others).map((other) => [...route, ...other] as const),
  )
  await Promise.all(
    tries.map(async ([method, path, name, token]) => {
      const body = method === 'GET' ? undefined : {}
      const answer = await scim.ask(method, path.replace('{id}', user_id), body, { token })
      expect(answer.status, `${method} ${path} with ${name}`).toBe(401)
      expect(answer.body).toEqual({
        schemas: [`${messages}:Error`],
        status: '401',
        detail: expect.any(String),
      })
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }),
  )
  for (const path of ['/accounts/me', '/projects', `/accounts/${scim.account_id}/members`])
    expect(await v1(path, scim.directory), path).toMatchObject({ status: 401 })
})

describe('two accounts', () => {
  test('a directory takes nobody of a mail domain that another account has proved', async () => {
    const prove = async (account_id: string) => {
      const [domain, now] = [`${randomUUID()}.example`, new Date()]
      const claimed = { challenge: 'x', now, expires_at: new Date(now.getTime() + 60_000) }
      await accountDomains.claim(db(), { account_id, domain }, claimed)
      await accountDomains.prove(db(), { account_id, domain }, now)
      return domain
    }
    const [own, foreign] = [await prove(scim.account_id), await prove(rival_account)]
    const add = (userName: string) => scim.ask('POST', '/Users', { schemas: [userSchema], userName })
    const [there, created_at] = [randomUUID(), new Date()]
    const email = `ada@${foreign}`
    await db().insertInto('users').values({ user_id: there, email, name: 'Ada', created_at }).execute()
    for (const userName of [email, `eve@${foreign.toUpperCase()}`])
      expect(await add(userName)).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    expect(await members.find(db(), { account_id: scim.account_id, user_id: there })).toBeUndefined()
    for (const domain of [own, `sub.${foreign}`]) expect((await add(`ada@${domain}`)).status).toBe(201)
  })

  test('a directory finds nothing of another account, by path or by id, and its own log says so', async () => {
    const mine = await scim.addUser()
    const group = await scim.ask('POST', '/Groups', { schemas: [groupSchema], displayName: randomUUID() })
    for (const [method, path] of routes.filter(([, path]) => path !== '/Me' && path !== '/Bulk')) {
      const id = path.startsWith('/Groups') ? group.pick('id') : mine.id
      const at = path.replace('{id}', id)
      const body =
        method === 'GET' || method === 'DELETE' ? undefined : { schemas: [userSchema], userName: 'x@y.zz' }
      const foreign = await scim.ask(method, at, body, { token: rival_directory })
      expect(foreign.status, `${method} ${path}`).toBe(404)
      if (!path.includes('{id}')) continue
      const own = { token: rival_directory, account_id: rival_account }
      const patch = { schemas: [`${messages}:PatchOp`], Operations: [off] }
      const inOwn = await scim.ask(method, at, method === 'PATCH' ? patch : body, own)
      expect(inOwn.status, `${method} ${path} in their own account`).toBe(404)
    }
    expect(await scim.ask('GET', `/Users/${mine.id}`)).toMatchObject({ body: { active: true } })
    const denied = await events(rival_account, 'deleteScimUser')
    expect(denied).toMatchObject([{ outcome: 'denied', details: { status: 404 }, actor_type: 'scim' }])
    expect(await events(scim.account_id, 'deleteScimUser')).toEqual([])
    const all = await scim.ask('GET', '/Users', undefined, {
      token: rival_directory,
      account_id: rival_account,
    })
    expect(all).toMatchObject({ body: { totalResults: 1, Resources: [{ id: rival.user_id }] } })
  })

  test('a group takes nobody of another account', async () => {
    const members = [{ value: rival.user_id }]
    const body = { schemas: [groupSchema], displayName: randomUUID(), members }
    expect(await scim.ask('POST', '/Groups', body)).toMatchObject({
      status: 400,
      body: { scimType: 'invalidValue' },
    })
  })

  test('somebody who is there is linked; their password, address, name and other account stay as they were', async () => {
    const person = await addPerson(db(), rival_account, 'member')
    await userCredentials.setPassword(db(), person.user_id, '$argon2id$v=19$x', new Date())
    const before = await userCredentials.find(db(), person.user_id)
    const body = {
      schemas: [userSchema],
      userName: before?.email,
      displayName: 'Renamed',
      password: 'another',
    }
    const linked = await scim.ask('POST', '/Users', body)
    expect(linked).toMatchObject({ status: 201, body: { id: person.user_id, displayName: 'Renamed' } })
    const rename = { op: 'replace', path: 'emails', value: [{ value: 'attacker@acme.example' }] }
    expect(await scim.patch(`/Users/${person.user_id}`, rename)).toMatchObject({ status: 200 })
    expect(await userCredentials.find(db(), person.user_id)).toEqual(before)
    expect(await v1(`/accounts/${scim.account_id}/members`, person.token)).toMatchObject({ status: 200 })
    expect(await scim.patch(`/Users/${person.user_id}`, off)).toMatchObject({ status: 200 })
    expect(await v1(`/accounts/${scim.account_id}/members`, person.token)).toMatchObject({ status: 404 })
    expect(await v1(`/accounts/${rival_account}/members`, person.token)).toMatchObject({ status: 200 })
    const back = { op: 'replace', path: 'active', value: true }
    expect(await scim.patch(`/Users/${person.user_id}`, back)).toMatchObject({ status: 200 })
    expect(await v1(`/accounts/${scim.account_id}/members`, person.token)).toMatchObject({ status: 200 })
  })
})

describe('deactivation', () => {
  async function equipped() {
    const { id: user_id, email } = await scim.addUser()
    await db()
      .insertInto('project_members')
      .values({ project_id, user_id, role: 'editor', created_at: new Date() })
      .execute()
    const { token } = await mint(db(), { kind: 'user', user_id })
    const made = await v1(`/projects/${project_id}/sessions`, token, 'POST', {})
    const session_id = made.pick('session_id')
    const credentials = {
      'a user token': token,
      'a sign-in': (await mintSignIn(db(), { user_id })).access,
      'an app': await mintForApp(db(), { user_id, scope: 'svc' }),
      'a project token': (await mint(db(), { kind: 'project', user_id, project_id })).token,
      'the token of a session': (await mint(db(), { kind: 'session', user_id, project_id, session_id }))
        .token,
    }
    return { user_id, email, credentials, session_id }
  }

  test('ends every credential of the person at the next request, and their sessions', async () => {
    const { user_id, email, credentials, session_id } = await equipped()
    const key = await mint(db(), { kind: 'gateway', user_id, project_id }, 'svc_gw_')
    for (const [name, token] of Object.entries(credentials))
      expect((await v1(`/projects/${project_id}`, token)).status, name).toBe(200)
    await v1(`/accounts/${scim.account_id}/invitations`, scim.platform.owner.token, 'POST', { email })
    expect(await scim.patch(`/Users/${user_id}`, off)).toMatchObject({ status: 200, body: { active: false } })
    for (const [name, token] of Object.entries(credentials)) {
      expect((await v1(`/projects/${project_id}`, token)).status, name).toBe(401)
      expect((await v1(`/accounts/${scim.account_id}/members`, token)).status, name).toBe(401)
    }
    const { revoked_at } = await db()
      .selectFrom('tokens')
      .select('revoked_at')
      .where('token_id', '=', key.token_id)
      .executeTakeFirstOrThrow()
    expect(revoked_at).not.toBeNull()
    const session = await v1(`/projects/${project_id}/sessions/${session_id}`, scim.platform.owner.token)
    expect(session).toMatchObject({ body: { status: 'stopped' } })
    const open = await v1(`/accounts/${scim.account_id}/invitations`, scim.platform.owner.token)
    expect(open.text).not.toContain(email)
    const [event] = await events(scim.account_id, 'patchScimUser')
    expect(event).toMatchObject({
      actor_type: 'scim',
      outcome: 'success',
      target: `scim/v2/accounts/${scim.account_id}/Users/${user_id}`,
      details: { active: false, was_active: true },
    })
  })

  test('activation gives back what was given by hand, and nothing that ended', async () => {
    const { user_id, credentials } = await equipped()
    await scim.patch(`/Users/${user_id}`, off)
    expect(await projects.findForUser(db(), project_id, user_id)).toMatchObject({
      account_role: null,
      member_role: null,
    })
    await scim.patch(`/Users/${user_id}`, on)
    const found = await projects.findForUser(db(), project_id, user_id)
    expect(found).toMatchObject({ account_role: 'member', member_role: 'editor' })
    for (const token of Object.values(credentials))
      expect((await v1(`/projects/${project_id}`, token)).status).toBe(401)
    const { token } = await mint(db(), { kind: 'user', user_id })
    expect(await v1(`/projects/${project_id}`, token)).toMatchObject({ status: 200 })
  })

  test('a deleted user is gone, and may be made anew', async () => {
    const { user_id, email, credentials } = await equipped()
    expect(await scim.ask('DELETE', `/Users/${user_id}`)).toMatchObject({ status: 204 })
    expect(await v1(`/projects/${project_id}`, credentials['a user token'])).toMatchObject({ status: 401 })
    expect(await scim.ask('GET', `/Users/${user_id}`)).toMatchObject({ status: 404 })
    const again = await scim.ask('POST', '/Users', { schemas: [userSchema], userName: email })
    expect(again).toMatchObject({ status: 201, body: { id: user_id, active: true } })
    expect(await projects.findForUser(db(), project_id, user_id)).toMatchObject({ member_role: null })
  })

  test('the last owner stays, whatever the directory says (409)', async () => {
    const { user_id, token } = scim.platform.owner
    for (const answer of [
      await scim.patch(`/Users/${user_id}`, off),
      await scim.ask('PUT', `/Users/${user_id}`, {
        schemas: [userSchema],
        userName: 'o@x.yy',
        active: false,
      }),
      await scim.ask('DELETE', `/Users/${user_id}`),
    ])
      expect(answer).toMatchObject({ status: 409, body: { status: '409', detail: /last owner/ } })
    expect(await v1(`/accounts/${scim.account_id}/members`, token)).toMatchObject({ status: 200 })
    const second = await addPerson(db(), scim.account_id, 'owner')
    expect(await scim.patch(`/Users/${second.user_id}`, off)).toMatchObject({ status: 200 })
    await scim.patch(`/Users/${second.user_id}`, on)
    expect(await scim.ask('DELETE', `/Users/${second.user_id}`)).toMatchObject({ status: 204 })
  })

  test('two owners cannot both be deactivated at once', async () => {
    const first = await scim.platform.stranger()
    const account_id = (await v1('/accounts/me', first.token)).pick('account_id')
    await upgrade(scim.platform, account_id, 'enterprise')
    const { token } = await mint(db(), { kind: 'scim', user_id: first.user_id, account_id }, 'svc_scim_')
    const second = await addPerson(db(), account_id, 'owner')
    const body = { schemas: [`${messages}:PatchOp`], Operations: [off] }
    const end = ({ user_id }: Person) => scim.ask('PATCH', `/Users/${user_id}`, body, { token, account_id })
    const answers = await Promise.all([end(first), end(second)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

describe('groups', () => {
  const give = (group_id: string, json: object) =>
    v1(`/accounts/${scim.account_id}/groups/${group_id}/roles`, scim.platform.owner.token, 'PUT', json)
  const rolesOf = async (user_id: string, of = project_id) => {
    const found = await projects.findForUser(db(), of, user_id)
    return [found?.account_role, found?.member_role]
  }
  const newGroup = async (...ids: string[]) => {
    const members = ids.map((value) => ({ value }))
    const body = { schemas: [groupSchema], displayName: randomUUID(), members }
    return (await scim.ask('POST', '/Groups', body)).pick('id')
  }

  test('give what an admin says, to who is in them, and take it back', async () => {
    const [ada, bob] = [await scim.addUser(), await scim.addUser()]
    const group = await newGroup(ada.id)
    expect(await rolesOf(ada.id)).toEqual(['member', null])
    const editors = { projects: [{ project_id, role: 'editor' }] }
    expect(await give(group, editors)).toMatchObject({ status: 200, body: { members: 1, ...editors } })
    expect(await rolesOf(ada.id)).toEqual(['member', 'editor'])
    await scim.patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value: bob.id }] })
    expect(await rolesOf(bob.id)).toEqual(['member', 'editor'])
    const { token } = await mint(db(), { kind: 'project', user_id: bob.id, project_id })
    await give(group, { account_role: 'admin', projects: [{ project_id: other_project_id, role: 'viewer' }] })
    expect(await rolesOf(bob.id)).toEqual(['admin', null])
    expect(await rolesOf(bob.id, other_project_id)).toEqual(['admin', 'viewer'])
    expect(await v1(`/projects/${project_id}`, token)).toMatchObject({ status: 401 })
    await scim.patch(`/Groups/${group}`, { op: 'remove', path: `members[value eq "${bob.id}"]` })
    expect(await rolesOf(bob.id, other_project_id)).toEqual(['member', null])
    await scim.patch(`/Users/${ada.id}`, off)
    expect(await rolesOf(ada.id, other_project_id)).toEqual([null, null])
    await scim.patch(`/Users/${ada.id}`, on)
    expect(await rolesOf(ada.id, other_project_id)).toEqual(['admin', 'viewer'])
    await scim.ask('DELETE', `/Groups/${group}`)
    expect(await rolesOf(ada.id, other_project_id)).toEqual(['member', null])
  })

  test('the strongest of several counts; what was given by hand stays', async () => {
    const { id } = await scim.addUser()
    const [viewers, managers] = [await newGroup(id), await newGroup(id)]
    await give(viewers, { projects: [{ project_id, role: 'viewer' }] })
    await give(managers, { projects: [{ project_id, role: 'manager' }] })
    expect(await rolesOf(id)).toEqual(['member', 'manager'])
    await scim.ask('DELETE', `/Groups/${managers}`)
    expect(await rolesOf(id)).toEqual(['member', 'viewer'])
    const path = `/projects/${project_id}/members/${id}`
    expect(await v1(path, scim.platform.owner.token, 'PUT', { role: 'editor' })).toMatchObject({
      status: 200,
    })
    await give(viewers, { projects: [{ project_id, role: 'manager' }] })
    expect(await rolesOf(id)).toEqual(['member', 'editor'])
    await scim.ask('DELETE', `/Groups/${viewers}`)
    expect(await rolesOf(id)).toEqual(['member', 'editor'])
  })

  test('give no roles on projects of another account, and members do not say what they give', async () => {
    const group = await newGroup()
    const json = { name: 'Theirs' }
    const theirs = await v1('/projects/provision', rival.token, 'POST', json)
    const foreign = { projects: [{ project_id: theirs.pick('project_id'), role: 'manager' }] }
    expect(await give(group, foreign)).toMatchObject({ status: 404 })
    const member = await addPerson(db(), scim.account_id, 'member')
    const path = `/accounts/${scim.account_id}/groups`
    expect(await v1(path, member.token)).toMatchObject({ status: 403 })
    expect(await v1(`${path}/${group}/roles`, member.token, 'PUT', {})).toMatchObject({ status: 403 })
    expect((await v1(path, scim.platform.owner.token)).text).toContain(group)
  })
})

test('the directory’s own token stays when the admin who minted it is deactivated', async () => {
  const admin = await addPerson(db(), scim.account_id, 'admin')
  const path = `/accounts/${scim.account_id}/scim-tokens`
  const token = (await v1(path, admin.token, 'POST', { name: 'theirs' })).pick('token')
  const off_by_theirs = { schemas: [`${messages}:PatchOp`], Operations: [off] }
  const answer = await scim.ask('PATCH', `/Users/${admin.user_id}`, off_by_theirs, { token })
  expect(answer).toMatchObject({ status: 200, body: { active: false } })
  expect(await v1('/accounts/me', admin.token)).toMatchObject({ status: 401 })
  expect(await scim.ask('GET', '/Users', undefined, { token })).toMatchObject({ status: 200 })
})

test('every change left one event, changes that change nothing left none, and the chain is whole', async () => {
  const count = async () =>
    (await db().selectFrom('audit_events').select('seq').where('account_id', '=', scim.account_id).execute())
      .length
  const steps: readonly (readonly [number, () => Promise<{ status: number }>])[] = await (async () => {
    const { id } = await scim.addUser()
    const group = await scim.ask('POST', '/Groups', { schemas: [groupSchema], displayName: randomUUID() })
    const add = { op: 'add', path: 'members', value: [{ value: id }] }
    const title = { op: 'add', path: 'title', value: 'x' }
    return [
      [1, () => scim.patch(`/Users/${id}`, title)],
      [0, () => scim.patch(`/Users/${id}`, title)],
      [1, () => scim.patch(`/Groups/${group.pick('id')}`, add)],
      [0, () => scim.patch(`/Groups/${group.pick('id')}`, add)],
      [1, () => scim.patch(`/Users/${id}`, off)],
      [0, () => scim.patch(`/Users/${id}`, off)],
      [1, () => scim.ask('DELETE', `/Groups/${group.pick('id')}`)],
      [1, () => scim.ask('DELETE', `/Users/${id}`)],
      [0, () => scim.ask('DELETE', `/Users/${id}`)],
      [0, () => scim.ask('GET', '/Users')],
    ] as const
  })()
  for (const [index, [events, step]] of steps.entries()) {
    const before = await count()
    await step()
    expect((await count()) - before, `step ${index}`).toBe(events)
  }
  const verdict = await v1(`/accounts/${scim.account_id}/audit/verify`, scim.platform.owner.token)
  expect(verdict).toMatchObject({ body: { valid: true } })
})
