import { authenticate, type Context } from '@svc/context'
import { createSession, getProject, listProjects } from '@svc/services'
import { addOwner, makeProject, openWorld } from '@svc/services/testing'
import { describe, expect, test } from 'vitest'
import {
  createGatewayKey,
  createProjectToken,
  createServiceAccount,
  createServiceAccountKey,
  deleteServiceAccount,
  listMembers,
  listProjectMembers,
  listServiceAccountKeys,
  listServiceAccounts,
  revokeServiceAccountKey,
  setProjectMember,
} from '../src/index.ts'

const world = await openWorld()
const project = await makeProject(world)
const { project_id, account_id, ctx } = project
const whois = (token: string) => authenticate(world.base, token)
const as = async (token: string): Promise<Context> => world.as(await whois(token))
const refused = (code: string) => expect.objectContaining({ code })

describe('service accounts', () => {
  test('reach nothing until a role is assigned, then what the role holds, and nothing when deleted', async () => {
    const robot = await createServiceAccount(ctx, { account_id, name: 'robot' })
    const { service_account_id } = robot
    const key = await createServiceAccountKey(ctx, { account_id, service_account_id, name: 'ci' })
    expect(key.token).toMatch(/^svc_sa_/)
    expect(key).toMatchObject({ kind: 'service', project_id: null })
    const acting = await as(key.token)
    expect(acting.principal).toMatchObject({ type: 'service', user_id: service_account_id, account_id })
    await expect(getProject(acting, { project_id })).rejects.toEqual(refused('not_found'))
    expect(await listProjects(acting)).toEqual([])
    await expect(listMembers(acting, { account_id })).rejects.toEqual(refused('forbidden'))

    await setProjectMember(ctx, { project_id, user_id: service_account_id, role: 'manager' })
    expect(await getProject(acting, { project_id })).toMatchObject({ project_role: 'manager' })
    expect(await listProjectMembers(ctx, { project_id })).toMatchObject({
      members: expect.arrayContaining([
        expect.objectContaining({ user_id: service_account_id, type: 'service', name: 'robot', email: null }),
      ]),
    })
    const session = await createSession(acting, { project_id, respond_async: false, body: {} })
    expect(session).toMatchObject({ session: { created_by: service_account_id } })
    // Acts that only people may do stay with people, whatever the role.
    await expect(
      setProjectMember(acting, { project_id, user_id: service_account_id, role: 'viewer' }),
    ).rejects.toEqual(refused('forbidden'))
    await expect(createProjectToken(acting, { project_id })).rejects.toEqual(refused('forbidden'))
    await expect(createGatewayKey(acting, { project_id, name: 'x' })).rejects.toEqual(refused('forbidden'))

    expect((await listServiceAccounts(ctx, { account_id })).service_accounts).toMatchObject([robot])
    await deleteServiceAccount(ctx, { account_id, service_account_id })
    await expect(whois(key.token)).rejects.toEqual(refused('session_token_revoked'))
    expect((await listServiceAccounts(ctx, { account_id })).service_accounts).toEqual([])
    await expect(createServiceAccountKey(ctx, { account_id, service_account_id, name: 'x' })).rejects.toEqual(
      refused('not_found'),
    )
  })

  test('have keys that are listed without their secret and revoked one by one', async () => {
    const { service_account_id } = await createServiceAccount(ctx, { account_id, name: 'keys' })
    const own = { account_id, service_account_id }
    const [one, two] = [
      await createServiceAccountKey(ctx, { ...own, name: 'one' }),
      await createServiceAccountKey(ctx, { ...own, name: 'two' }),
    ]
    const listed = await listServiceAccountKeys(ctx, own)
    expect(listed.tokens.map(({ name }) => name).sort()).toEqual(['one', 'two'])
    expect(JSON.stringify(listed)).not.toContain(one.token)
    await revokeServiceAccountKey(ctx, { ...own, token_id: one.token_id })
    await expect(whois(one.token)).rejects.toEqual(refused('session_token_revoked'))
    expect(await whois(two.token)).toMatchObject({ type: 'service' })
    const stranger = await addOwner(world)
    const elsewhere = world.as(stranger.principal)
    const foreign = { ...own, account_id: stranger.account_id }
    await expect(listServiceAccountKeys(elsewhere, foreign)).rejects.toEqual(refused('not_found'))
    await expect(createServiceAccountKey(elsewhere, { ...foreign, name: 'x' })).rejects.toEqual(
      refused('not_found'),
    )
    await expect(revokeServiceAccountKey(elsewhere, { ...foreign, token_id: two.token_id })).rejects.toEqual(
      refused('not_found'),
    )
    await expect(
      setProjectMember(elsewhere, { project_id, user_id: service_account_id, role: 'viewer' }),
    ).rejects.toEqual(refused('not_found'))
  })
})
