import { projects } from '@svc/db'
import { describe, expect, test } from 'vitest'
import { addPerson, mint, mintForApp, mintSignIn, type Person } from '../support/credentials.ts'
import { messages, off, on, openScim, upgrade, userSchema } from '../support/scim.ts'

const scim = await openScim()
const { db, v1, events } = scim
const project_id = await scim.newProject('One')

describe('deactivation', () => {
  async function equipped() {
    const { id: user_id, email } = await scim.addUser()
    await db
      .insertInto('project_members')
      .values({ project_id, user_id, role: 'editor', created_at: new Date() })
      .execute()
    const { token } = await mint(db, { kind: 'user', user_id })
    const made = await v1(`/projects/${project_id}/sessions`, token, 'POST', {})
    const session_id = made.pick('session_id')
    const credentials = {
      'a user token': token,
      'a sign-in': (await mintSignIn(db, { user_id })).access,
      'an app': await mintForApp(db, { user_id, scope: 'svc' }),
      'a project token': (await mint(db, { kind: 'project', user_id, project_id })).token,
      'the token of a session': (await mint(db, { kind: 'session', user_id, project_id, session_id })).token,
    }
    return { user_id, email, credentials, session_id }
  }

  test('ends every credential of the person at the next request, and their sessions', async () => {
    const { user_id, email, credentials, session_id } = await equipped()
    const key = await mint(db, { kind: 'gateway', user_id, project_id }, 'svc_gw_')
    for (const [name, token] of Object.entries(credentials))
      expect((await v1(`/projects/${project_id}`, token)).status, name).toBe(200)
    await v1(`/accounts/${scim.account_id}/invitations`, scim.platform.owner.token, 'POST', { email })
    expect(await scim.patch(`/Users/${user_id}`, off)).toMatchObject({ status: 200, body: { active: false } })
    for (const [name, token] of Object.entries(credentials)) {
      expect((await v1(`/projects/${project_id}`, token)).status, name).toBe(401)
      expect((await v1(`/accounts/${scim.account_id}/members`, token)).status, name).toBe(401)
    }
    const { revoked_at } = await db
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
    expect(await projects.findForUser(db, project_id, user_id)).toMatchObject({
      account_role: null,
      member_role: null,
    })
    await scim.patch(`/Users/${user_id}`, on)
    const found = await projects.findForUser(db, project_id, user_id)
    expect(found).toMatchObject({ account_role: 'member', member_role: 'editor' })
    for (const token of Object.values(credentials))
      expect((await v1(`/projects/${project_id}`, token)).status).toBe(401)
    const { token } = await mint(db, { kind: 'user', user_id })
    expect(await v1(`/projects/${project_id}`, token)).toMatchObject({ status: 200 })
  })

  test('a deleted user is gone, and may be made anew', async () => {
    const { user_id, email, credentials } = await equipped()
    expect(await scim.ask('DELETE', `/Users/${user_id}`)).toMatchObject({ status: 204 })
    expect(await v1(`/projects/${project_id}`, credentials['a user token'])).toMatchObject({ status: 401 })
    expect(await scim.ask('GET', `/Users/${user_id}`)).toMatchObject({ status: 404 })
    const again = await scim.ask('POST', '/Users', { schemas: [userSchema], userName: email })
    expect(again).toMatchObject({ status: 201, body: { id: user_id, active: true } })
    expect(await projects.findForUser(db, project_id, user_id)).toMatchObject({ member_role: null })
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
    const second = await addPerson(db, scim.account_id, 'owner')
    expect(await scim.patch(`/Users/${second.user_id}`, off)).toMatchObject({ status: 200 })
    await scim.patch(`/Users/${second.user_id}`, on)
    expect(await scim.ask('DELETE', `/Users/${second.user_id}`)).toMatchObject({ status: 204 })
  })

  test('two owners cannot both be deactivated at once', async () => {
    const first = await scim.platform.stranger()
    const account_id = (await v1('/accounts/me', first.token)).pick('account_id')
    await upgrade(scim.platform, account_id, 'enterprise')
    const { token } = await mint(db, { kind: 'scim', user_id: first.user_id, account_id }, 'svc_scim_')
    const second = await addPerson(db, account_id, 'owner')
    const body = { schemas: [`${messages}:PatchOp`], Operations: [off] }
    const end = ({ user_id }: Person) => scim.ask('PATCH', `/Users/${user_id}`, body, { token, account_id })
    const answers = await Promise.all([end(first), end(second)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})
