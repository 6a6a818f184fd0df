import { randomUUID } from 'node:crypto'
import { formatToken } from '@svc/access'
import { authenticate, type Context, listFeatures, setFeatures } from '@svc/context'
import { features, plans } from '@svc/db'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  acceptInvitation,
  authorizeProxy,
  createGatewayKey,
  createInvitation,
  createProjectToken,
  createRole,
  createServiceAccount,
  createServiceAccountKey,
  createSession,
  createToken,
  deleteRole,
  deleteServiceAccount,
  getProject,
  listAssignments,
  listGatewayKeys,
  listInvitations,
  listMembers,
  listProjectMembers,
  listProjects,
  listRoles,
  listServiceAccountKeys,
  listServiceAccounts,
  removeMember,
  removeProjectMember,
  revokeGatewayKey,
  revokeInvitation,
  revokeServiceAccountKey,
  setKeyRules,
  setProjectMember,
  updateAccount,
  updateMember,
  updateRole,
} from '../src/index.ts'
import { addMember, addOwner, type Person } from '../src/testing/people.ts'
import { makeProject, type TestProject } from '../src/testing/projects.ts'
import { runningSession } from '../src/testing/sessions.ts'
import { openWorld } from '../src/testing/world.ts'

const world = await openWorld()
const project = await makeProject(world)
const { project_id, account_id, owner, ctx } = project
const whois = (token: string) => authenticate(world.base, token)
const as = async (token: string): Promise<Context> => world.as(await whois(token))
const inDays = (days: number) => new Date(world.clock.now().getTime() + days * 86_400_000).toISOString()
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

test('gateway keys are minted by people with the capability, listed apart from those of sessions, and revoked', async () => {
  const key = await createGatewayKey(ctx, { project_id, name: 'laptop', expires_at: inDays(1) })
  expect(key.token).toMatch(/^svc_gw_/)
  expect(await whois(key.token)).toMatchObject({ type: 'gateway', project_id, session_id: null })
  expect((await listGatewayKeys(ctx, { project_id })).tokens).toMatchObject([
    { name: 'laptop', kind: 'gateway' },
  ])
  const editor = await addMember(world, project, 'editor')
  await expect(listGatewayKeys(world.as(editor.principal), { project_id })).rejects.toEqual(
    refused('forbidden'),
  )
  const other = await makeProject(world, owner)
  await expect(
    revokeGatewayKey(other.ctx, { project_id: other.project_id, token_id: key.token_id }),
  ).rejects.toEqual(refused('not_found'))
  await revokeGatewayKey(ctx, { project_id, token_id: key.token_id })
  await expect(whois(key.token)).rejects.toEqual(refused('session_token_revoked'))
})

test('the key rules of an account hold for every new key, and each breach has its own code', async () => {
  const own = await makeProject(world)
  const account = own.account_id
  const { service_account_id } = await createServiceAccount(own.ctx, { account_id: account, name: 'x' })
  await setKeyRules(own.ctx, { account_id: account, expiry_required: true, max_days: 30 })
  const minted: ((expires_at?: string) => Promise<unknown>)[] = [
    (expires_at) => createToken(own.ctx, { name: 'x', expires_at }),
    (expires_at) => createProjectToken(own.ctx, { project_id: own.project_id, expires_at }),
    (expires_at) => createGatewayKey(own.ctx, { project_id: own.project_id, name: 'x', expires_at }),
    (expires_at) =>
      createServiceAccountKey(own.ctx, { account_id: account, service_account_id, name: 'x', expires_at }),
  ]
  for (const mint of minted) {
    await expect(mint()).rejects.toEqual(refused('expiry_required'))
    await expect(mint(inDays(31))).rejects.toEqual(refused('expiry_too_far'))
    await expect(mint(inDays(-1))).rejects.toEqual(refused('invalid_request'))
    await expect(mint(inDays(30))).resolves.toMatchObject({ expires_at: new Date(inDays(30)) })
  }
  const member = await addMember(world, own, 'viewer')
  await expect(
    setKeyRules(world.as(member.principal), { account_id: account, expiry_required: false, max_days: null }),
  ).rejects.toEqual(refused('forbidden'))
})

describe('members', () => {
  test('the last owner stays, also when two leave at once', async () => {
    const own = await makeProject(world)
    const account = own.account_id
    const first = own.owner
    const second = await addMember(world, own, null, 'owner')
    const leave = (person: Person) =>
      removeMember(world.as(person.principal), { account_id: account, user_id: person.user_id })
    const outcomes = await Promise.allSettled([leave(first), leave(second)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find((one) => one.status === 'rejected')).toMatchObject({
      reason: { code: 'LAST_OWNER' },
    })
    const stays = outcomes[0]?.status === 'rejected' ? first : second
    const input = { account_id: account, user_id: stays.user_id }
    await expect(updateMember(world.as(stays.principal), { ...input, role: 'member' })).rejects.toEqual(
      refused('LAST_OWNER'),
    )
  })

  test('admins manage members and admins, owners alone manage owners', async () => {
    const own = await makeProject(world)
    const admin = await addMember(world, own, null, 'admin')
    const member = await addMember(world, own, null)
    const asAdmin = world.as(admin.principal)
    const input = (person: Person) => ({ account_id: own.account_id, user_id: person.user_id })
    expect(await updateMember(asAdmin, { ...input(member), role: 'admin' })).toMatchObject({ role: 'admin' })
    for (const attempt of [
      () => updateMember(asAdmin, { ...input(member), role: 'owner' }),
      () => updateMember(asAdmin, { ...input(own.owner), role: 'member' }),
      () => removeMember(asAdmin, input(own.owner)),
      () => createInvitation(asAdmin, { account_id: own.account_id, email: 'a@example.com', role: 'owner' }),
    ]) {
      await expect(attempt()).rejects.toEqual(refused('forbidden'))
    }
    const plain = await addMember(world, own, null)
    await expect(removeMember(world.as(plain.principal), input(member))).rejects.toEqual(refused('forbidden'))
    await removeMember(world.as(plain.principal), input(plain))
    await removeMember(asAdmin, input(member))
    const { members } = await listMembers(asAdmin, { account_id: own.account_id })
    expect(members.map(({ role }) => role).sort()).toEqual(['admin', 'owner'])
  })

  test('whoever is removed loses their roles and credentials there, and nowhere else', async () => {
    const own = await makeProject(world)
    const member = await addMember(world, own, 'manager')
    const elsewhere = await addMember(world, project, null)
    await world.db
      .insertInto('account_members')
      .values({ account_id, user_id: member.user_id, role: 'member', created_at: world.clock.now() })
      .execute()
    await setProjectMember(ctx, { project_id, user_id: member.user_id, role: 'manager' })
    const asMember = world.as(member.principal)
    const there = await createProjectToken(asMember, { project_id: own.project_id })
    const here = await createProjectToken(asMember, { project_id })
    const personal = await createToken(asMember, { name: 'mine' })
    await removeMember(own.ctx, { account_id: own.account_id, user_id: member.user_id })
    await expect(whois(there.token)).rejects.toEqual(refused('session_token_revoked'))
    await expect(getProject(asMember, { project_id: own.project_id })).rejects.toEqual(refused('not_found'))
    expect(await getProject(await as(here.token), { project_id })).toMatchObject({ project_id })
    expect(await whois(personal.token)).toMatchObject({ type: 'user' })
    await removeProjectMember(ctx, { project_id, user_id: member.user_id })
    await expect(whois(here.token)).rejects.toEqual(refused('session_token_revoked'))
    await expect(removeProjectMember(ctx, { project_id, user_id: elsewhere.user_id })).rejects.toEqual(
      refused('not_found'),
    )
  })

  test('roles on a project go to people and service accounts of its account alone', async () => {
    const stranger = await addOwner(world)
    for (const user_id of [stranger.user_id, randomUUID()]) {
      await expect(setProjectMember(ctx, { project_id, user_id, role: 'viewer' })).rejects.toEqual(
        refused('not_found'),
      )
    }
    const editor = await addMember(world, project, 'editor')
    const member = { project_id, user_id: editor.user_id, role: 'manager' as const }
    await expect(setProjectMember(world.as(editor.principal), member)).rejects.toEqual(refused('forbidden'))
    expect(await setProjectMember(ctx, { ...member, role: 'viewer' })).toMatchObject({ role: 'viewer' })
  })
})

describe('invitations', () => {
  test('are accepted once, by the person whom they name', async () => {
    const invited = await addOwner(world)
    const email = `${invited.user_id}@SVC.invalid`
    const created = await createInvitation(ctx, { account_id, email, role: 'admin' })
    expect(created.token).toMatch(/^svc_inv_/)
    const listed = await listInvitations(ctx, { account_id })
    expect(listed.invitations).toMatchObject([{ email, role: 'admin' }])
    expect(JSON.stringify(listed)).not.toContain(created.token)
    const { rows } = await sql<{ dump: string }>`select i::text as dump from account_invitations i`.execute(
      world.db,
    )
    expect(JSON.stringify(rows)).not.toContain(created.token)
    await expect(whois(created.token)).rejects.toEqual(refused('unauthorized'))

    const other = world.as((await addOwner(world)).principal)
    await expect(acceptInvitation(other, created)).rejects.toEqual(refused('not_found'))
    const accepted = await Promise.allSettled(
      [1, 2].map(() => acceptInvitation(world.as(invited.principal), created)),
    )
    expect(accepted.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await getProject(world.as(invited.principal), { project_id })).toMatchObject({
      project_role: 'manager',
    })
    expect((await listInvitations(ctx, { account_id })).invitations).toEqual([])
  })

  test('end by their time and by being taken back', async () => {
    const invited = await addOwner(world)
    const email = `${invited.user_id}@svc.invalid`
    const late = await createInvitation(ctx, { account_id, email, role: 'member' })
    const taken = await createInvitation(ctx, { account_id, email, role: 'member' })
    await revokeInvitation(ctx, taken)
    await expect(revokeInvitation(ctx, taken)).rejects.toEqual(refused('not_found'))
    const asInvited = world.as(invited.principal)
    await expect(acceptInvitation(asInvited, taken)).rejects.toEqual(refused('conflict'))
    world.clock.advance(7 * 86_400_000)
    await expect(acceptInvitation(asInvited, late)).rejects.toEqual(refused('conflict'))
    const unknown = { token: formatToken('svc_inv_', new Uint8Array(32)) }
    await expect(acceptInvitation(asInvited, unknown)).rejects.toEqual(refused('not_found'))
  })
})

describe('custom roles', () => {
  test('add to a built-in role, change at once, and leave it when they are deleted', async () => {
    const member = await addMember(world, project, 'viewer')
    const asMember = world.as(member.principal)
    const start = () => createSession(asMember, { project_id, respond_async: false, body: {} })
    await expect(start()).rejects.toEqual(refused('forbidden'))
    const role = await createRole(ctx, {
      account_id,
      name: 'Starter',
      base_role: 'viewer',
      capabilities: ['project.session.start'],
    })
    const { role_id } = role
    if (role_id === null) throw new Error('A custom role has an id')
    await setProjectMember(ctx, { project_id, user_id: member.user_id, role_id })
    expect(await start()).toMatchObject({ kind: 'created' })
    expect((await listAssignments(ctx, { account_id })).assignments).toEqual(
      expect.arrayContaining([expect.objectContaining({ project_id, user_id: member.user_id, role_id })]),
    )
    await updateRole(ctx, { account_id, role_id, name: 'Starter', base_role: 'editor', capabilities: [] })
    expect(await getProject(asMember, { project_id })).toMatchObject({ project_role: 'editor' })
    await deleteRole(ctx, { account_id, role_id })
    expect(await getProject(asMember, { project_id })).toMatchObject({ project_role: 'editor' })
    const names = (await listRoles(ctx, { account_id })).roles.map(({ name }) => name)
    expect(names).toEqual(['manager', 'editor', 'member', 'viewer'])
  })

  test('have a name of their own, and belong to one account', async () => {
    const fields = { base_role: 'viewer' as const, capabilities: [] }
    const one = await createRole(ctx, { account_id, name: 'Twice', ...fields })
    await expect(createRole(ctx, { account_id, name: 'twice', ...fields })).rejects.toEqual(
      refused('conflict'),
    )
    const two = await createRole(ctx, { account_id, name: 'Second', ...fields })
    const renamed = { account_id, role_id: two.role_id ?? '', name: 'TWICE', ...fields }
    await expect(updateRole(ctx, renamed)).rejects.toEqual(refused('conflict'))
    const other = await makeProject(world)
    const given = { project_id: other.project_id, user_id: other.owner.user_id, role_id: one.role_id ?? '' }
    await expect(setProjectMember(other.ctx, given)).rejects.toEqual(refused('not_found'))
  })

  test('need a plan that holds rbac, as the operator wrote it down', async () => {
    const poor = await addOwner(world, 'free')
    const own = world.as(poor.principal)
    const role = { account_id: poor.account_id, name: 'x', base_role: 'viewer' as const, capabilities: [] }
    const denied = { code: 'entitlement_required', details: { entitlement: 'rbac' } }
    await expect(createRole(own, role)).rejects.toMatchObject(denied)
    await world.db
      .updateTable('plans')
      .set({ entitlements: ['rbac'] })
      .where('tier', '=', 'free')
      .execute()
    expect(await createRole(own, role)).toMatchObject({ name: 'x' })
    await world.db.updateTable('plans').set({ entitlements: [] }).where('tier', '=', 'free').execute()
  })
})

test('the cap of live sessions is the one of the plan', async () => {
  const own = await makeProject(world, await addOwner(world, 'free'))
  const plan = (session_cap: number) =>
    world.db.updateTable('plans').set({ session_cap }).where('tier', '=', 'free').execute()
  const start = () => createSession(own.ctx, { project_id: own.project_id, respond_async: false, body: {} })
  await plan(1)
  await start()
  await expect(start()).rejects.toMatchObject({ code: 'session_limit_reached', details: { limit: 1 } })
  await plan(2)
  expect(await start()).toMatchObject({ kind: 'created' })
  await plan(3)
})

describe('feature flags', () => {
  test('refuse what they switch off, with the feature', async () => {
    const own = await makeProject(world)
    const key = { project_id: own.project_id }
    await setFeatures(own.ctx, { ...key, features: { model_gateway: false } })
    expect((await listFeatures(own.ctx, key)).features).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ feature: 'model_gateway', enabled: false }),
        expect.objectContaining({ feature: 'previews', enabled: true }),
        expect.objectContaining({ feature: 'apps', enabled: false, operator_only: true }),
      ]),
    )
    await expect(createGatewayKey(own.ctx, { ...key, name: 'x' })).rejects.toMatchObject({
      code: 'feature_disabled',
      details: { feature: 'model_gateway' },
    })
    await setFeatures(own.ctx, { ...key, features: { model_gateway: true } })
    expect(await createGatewayKey(own.ctx, { ...key, name: 'x' })).toMatchObject({ name: 'x' })
  })

  test('hold for sessions: no key of the gateway, no previews', async () => {
    const own = await makeProject(world)
    await setFeatures(own.ctx, {
      project_id: own.project_id,
      features: { model_gateway: false, previews: false },
    })
    const session = await runningSession(world, own)
    const environment = await session.environment()
    expect(environment).toHaveProperty('SVC_CLI_TOKEN')
    expect(environment).not.toHaveProperty('SVC_LLM_API_KEY')
    const { external_id } = await session.sandbox()
    const at = (port: number) => ({
      external_id: external_id ?? '',
      port,
      path: '/svc/health',
      method: 'GET',
    })
    await expect(authorizeProxy(own.ctx, at(3000))).rejects.toMatchObject({
      code: 'feature_disabled',
      details: { feature: 'previews' },
    })
    expect(await authorizeProxy(own.ctx, at(8000))).toMatchObject({ path: '/svc/health' })
    await setFeatures(own.ctx, { project_id: own.project_id, features: { previews: true } })
    expect(await authorizeProxy(own.ctx, at(3000))).toMatchObject({ path: '/proxy/3000/svc/health' })
  })

  test('the model gateway takes an opt-in of the project, and a plan that holds it', async () => {
    const account = await addOwner(world)
    const { ctx, account_id } = await makeProject(world, account)
    const models = async (own: TestProject) =>
      Object.keys(await (await runningSession(world, own)).environment()).filter((name) =>
        /^SVC_LLM_/.test(name),
      )
    const both = ['SVC_LLM_BASE_URL', 'SVC_LLM_API_KEY']

    expect(await updateAccount(ctx, { account_id, gateway_new_projects: false })).toMatchObject({
      gateway_new_projects: false,
    })
    const later = await makeProject(world, account)
    const enabled = async () =>
      (await listFeatures(ctx, later)).features.find(({ feature }) => feature === 'model_gateway')?.enabled
    expect([await enabled(), await models(later)]).toEqual([false, []])
    await expect(createGatewayKey(ctx, { ...later, name: 'x' })).rejects.toMatchObject({
      code: 'feature_disabled',
    })
    await setFeatures(ctx, { ...later, features: { model_gateway: true } })
    expect([await enabled(), await models(later)]).toEqual([true, both])

    await updateAccount(ctx, { account_id, gateway_new_projects: true })
    const latest = await makeProject(world, account)
    expect(await models(latest)).toEqual(both)
    const row = await features.find(world.db, latest.project_id, 'model_gateway')
    expect(row).toBe(true)

    const { gateway } = (await plans.ofProject(world.db, latest.project_id)) ?? {}
    const hold = (held: 'off' | 'own_keys' | 'managed') =>
      world.db.updateTable('plans').set({ gateway: held }).where('tier', '=', 'self_host').execute()
    expect(gateway).toBe('managed')
    await hold('off')
    expect(await models(latest)).toEqual([])
    await expect(createGatewayKey(ctx, { ...latest, name: 'x' })).rejects.toMatchObject({
      details: { feature: 'model_gateway' },
    })
    await hold('own_keys')
    expect(await models(latest)).toEqual(both)
    await hold('managed')
  })

  test('of the operator change by a platform admin alone, and together with the rest or not at all', async () => {
    const own = await makeProject(world)
    const key = { project_id: own.project_id }
    const features = { apps: true, previews: false }
    await expect(setFeatures(own.ctx, { ...key, features })).rejects.toMatchObject({
      code: 'feature_operator_only',
      details: { feature: 'apps' },
    })
    const enabled = async () =>
      (await listFeatures(own.ctx, key)).features.filter((one) => one.enabled).map(({ feature }) => feature)
    expect(await enabled()).toEqual(['model_gateway', 'previews'])
    await world.db
      .updateTable('users')
      .set({ platform_admin: true })
      .where('user_id', '=', own.owner.user_id)
      .execute()
    await setFeatures(own.ctx, { ...key, features })
    expect(await enabled()).toEqual(['model_gateway', 'apps'])
  })
})
