import { describe, expect, test } from 'vitest'
import { addPerson, mint, mintForApp, mintSignIn, newSecret } from '../support/credentials.ts'
import { messages, off, openScim, upgrade } from '../support/scim.ts'
import { routes } from './routes.ts'

const scim = await openScim()
const { db, v1, events } = scim
const project_id = await scim.newProject('One')

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
    const rows = await db.selectFrom('tokens').selectAll().where('kind', '=', 'scim').execute()
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(scim.platform.lines.join('\n')).not.toContain(secret)
  })

  test('a plan without scim mints none, and ends what one that was minted before reaches (402)', async () => {
    const rival = await scim.platform.stranger()
    const account_id = (await v1('/accounts/me', rival.token)).pick('account_id')
    const path = `/accounts/${account_id}/scim-tokens`
    const refused = await v1(path, rival.token, 'POST', { name: 'x' })
    expect(refused).toMatchObject({
      status: 402,
      body: { code: 'entitlement_required', entitlement: 'scim' },
    })
    await upgrade(scim.platform, account_id, 'enterprise')
    const token = (await v1(path, rival.token, 'POST', { name: 'x' })).pick('token')
    const options = { token, account_id }
    expect(await scim.ask('GET', '/Users', undefined, options)).toMatchObject({ status: 200 })
    await upgrade(scim.platform, account_id, 'free')
    const ended = await scim.ask('GET', '/Users', undefined, options)
    expect(ended).toMatchObject({ status: 402, body: { schemas: [`${messages}:Error`], status: '402' } })
    const [event] = await events(account_id, 'listScimUsers')
    expect(event).toMatchObject({ outcome: 'denied', actor_type: 'scim', details: { status: 402 } })
  })
})

test('every route refuses every other credential, and says nothing to any of them (401)', async () => {
  const { user_id, token } = scim.platform.owner
  const past = new Date(Date.now() - 1000)
  const account = { kind: 'scim' as const, user_id, account_id: scim.account_id }
  const others: Readonly<Record<string, string | null>> = {
    none: null,
    'a user token of the owner': token,
    'a sign-in of the owner': (await mintSignIn(db, { user_id })).access,
    'an app of the owner': await mintForApp(db, { user_id, scope: 'svc' }),
    'a project token': (await mint(db, { kind: 'project', user_id, project_id })).token,
    'a gateway key': (await mint(db, { kind: 'gateway', user_id, project_id }, 'svc_gw_')).token,
    'a token of nobody': newSecret('svc_scim_'),
    'a malformed one': 'svc_scim_nonsense',
    'a revoked one': (await mint(db, { ...account, revoked_at: past }, 'svc_scim_')).token,
    'an expired one': (await mint(db, { ...account, expires_at: past }, 'svc_scim_')).token,
    'a user token that looks like one': (await mint(db, { kind: 'user', user_id }, 'svc_scim_')).token,
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

test('the directory’s own token stays when the admin who minted it is deactivated', async () => {
  const admin = await addPerson(db, scim.account_id, 'admin')
  const path = `/accounts/${scim.account_id}/scim-tokens`
  const token = (await v1(path, admin.token, 'POST', { name: 'theirs' })).pick('token')
  const off_by_theirs = { schemas: [`${messages}:PatchOp`], Operations: [off] }
  const answer = await scim.ask('PATCH', `/Users/${admin.user_id}`, off_by_theirs, { token })
  expect(answer).toMatchObject({ status: 200, body: { active: false } })
  expect(await v1('/accounts/me', admin.token)).toMatchObject({ status: 401 })
  expect(await scim.ask('GET', '/Users', undefined, { token })).toMatchObject({ status: 200 })
})
