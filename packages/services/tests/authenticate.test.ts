import { formatToken } from '@svc/access'
import { authenticate } from '@svc/context'
import { projects, sessions } from '@svc/db'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  archiveProject,
  createProjectToken,
  createToken,
  ensureFirstAccount,
  getCloneCredential,
  getMe,
  getProject,
  listProjects,
  listProjectTokens,
  listTokens,
  provisionProject,
  revokeProjectToken,
  revokeToken,
} from '../src/index.ts'
import { dieAt } from './support/faults.ts'
import { addMember, addOwner } from '../src/testing/people.ts'
import { makeProject } from '../src/testing/projects.ts'
import { newSession, runningSession } from '../src/testing/sessions.ts'
import { openWorld } from '../src/testing/world.ts'

const world = await openWorld()
const project = await makeProject(world)
const { project_id, ctx, owner } = project
const whois = (token: string) => authenticate(world.base, token)

test('a user token is its person, until it is revoked', async () => {
  const { token, ...shown } = await createToken(ctx, { name: 'laptop' })
  expect(shown).toMatchObject({ kind: 'user', name: 'laptop', prefix: token.slice(0, 12), project_id: null })
  expect(await whois(token)).toEqual({ type: 'user', user_id: owner.user_id, token_id: shown.token_id })
  expect((await listTokens(ctx)).tokens).toMatchObject([
    { token_id: shown.token_id, last_used_at: world.clock.now() },
  ])
  expect(JSON.stringify(await listTokens(ctx))).not.toContain(token)
  const other = world.as((await addOwner(world)).principal)
  await expect(revokeToken(other, shown)).rejects.toMatchObject({ code: 'not_found' })
  await revokeToken(ctx, shown)
  await expect(whois(token)).rejects.toMatchObject({ code: 'session_token_revoked' })
  await expect(revokeToken(ctx, shown)).rejects.toMatchObject({ code: 'not_found' })
  expect((await listTokens(ctx)).tokens).toEqual([])
})

test('last_used_at is written once a minute at the most', async () => {
  const { token, token_id } = await createToken(ctx, { name: 'busy' })
  const used = async () => {
    await whois(token)
    return (await listTokens(ctx)).tokens.find((each) => each.token_id === token_id)?.last_used_at
  }
  const first = await used()
  world.clock.advance(59_000)
  expect(await used()).toEqual(first)
  world.clock.advance(2000)
  expect(await used()).toEqual(world.clock.now())
})

test('an expiry lies in the future, and then it is over', async () => {
  const now = world.clock.now().getTime()
  await expect(
    createToken(ctx, { name: 'x', expires_at: new Date(now).toISOString() }),
  ).rejects.toMatchObject({
    code: 'invalid_request',
  })
  const { token } = await createToken(ctx, { name: 'x', expires_at: new Date(now + 1000).toISOString() })
  expect((await whois(token)).type).toBe('user')
  world.clock.advance(1000)
  await expect(whois(token)).rejects.toMatchObject({ code: 'session_token_revoked' })
})

test('what the platform never formed is refused without a query', async () => {
  const { token } = await createToken(ctx, { name: 'x' })
  const nowhere = {
    now: world.clock.now,
    get db(): typeof world.db {
      throw new Error('a query was made')
    },
  }
  const last = token.at(-1) === 'a' ? 'b' : 'a'
  for (const wrong of [
    token.slice(0, -1) + last,
    token.slice(0, -1),
    `${token}x`,
    '',
    'svc_pat_',
    'svc_xyz_1',
    'Bearer',
    token.toUpperCase(),
  ]) {
    await expect(authenticate(nowhere, wrong)).rejects.toMatchObject({ code: 'unauthorized' })
  }
  for (const prefix of ['svc_pat_', 'svc_gw_', 'svc_sbx_', 'svc_oat_', 'svc_sa_'] as const) {
    const unknown = formatToken(prefix, new Uint8Array(32).fill(7))
    await expect(whois(unknown)).rejects.toMatchObject({ code: 'unauthorized' })
  }
})

test('a project token reaches its project and nothing else', async () => {
  const { token, token_id } = await createProjectToken(ctx, { project_id })
  const principal = await whois(token)
  expect(principal).toMatchObject({ type: 'project', project_id, default_branch: false })
  const bound = world.as(principal)
  expect(await getProject(bound, { project_id })).toMatchObject({ project_id, project_role: 'manager' })
  expect(await listProjects(bound)).toMatchObject([{ project_id }])
  const other = await makeProject(world, owner)
  await expect(getProject(bound, { project_id: other.project_id })).rejects.toMatchObject({
    code: 'forbidden',
  })
  await expect(getProject(bound, { project_id: world.base.newId() })).rejects.toMatchObject({
    code: 'forbidden',
  })
  await expect(getMe(bound)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(createToken(bound, { name: 'x' })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(provisionProject(bound, { name: 'x', seed_starter: false })).rejects.toMatchObject({
    code: 'forbidden',
  })
  await expect(createProjectToken(bound, { project_id })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(
    revokeProjectToken(other.ctx, { project_id: other.project_id, token_id }),
  ).rejects.toMatchObject({
    code: 'not_found',
  })
  expect((await listProjectTokens(ctx, { project_id })).tokens.map((each) => each.name).sort()).toEqual([
    'cli',
    'push',
  ])
  await revokeProjectToken(ctx, { project_id, token_id })
  await expect(whois(token)).rejects.toMatchObject({ code: 'session_token_revoked' })
})

test('a project is there for people with a role on it, and only for them', async () => {
  const stranger = await addMember(world, project, null)
  await expect(getProject(world.as(stranger.principal), { project_id })).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(await listProjects(world.as(stranger.principal))).toEqual([])
  const admin = await addMember(world, project, null, 'admin')
  expect(await getProject(world.as(admin.principal), { project_id })).toMatchObject({
    project_role: 'manager',
  })
  const viewer = await addMember(world, project, 'viewer')
  expect(await listProjects(world.as(viewer.principal))).toMatchObject([
    { project_id, project_role: 'viewer' },
  ])
  await expect(createProjectToken(world.as(viewer.principal), { project_id })).rejects.toMatchObject({
    code: 'forbidden',
  })
})

test('an agent has what its grant and the role of its person both allow, as they are now', async () => {
  const member = await addMember(world, project, 'member')
  const own = { ...project, ctx: world.as(member.principal) }
  const session = await runningSession(world, own)
  const principal = await whois((await session.environment()).SVC_CLI_TOKEN ?? '')
  expect(principal).toMatchObject({ type: 'session', user_id: member.user_id, merge_granted: false })
  expect(await getProject(world.as(principal), { project_id })).toMatchObject({ project_role: 'member' })
  await expect(createProjectToken(world.as(principal), { project_id })).rejects.toMatchObject({
    code: 'forbidden',
  })
  await world.db.deleteFrom('project_members').where('user_id', '=', member.user_id).execute()
  await expect(getProject(world.as(principal), { project_id })).rejects.toMatchObject({ code: 'not_found' })
})

test('a clone credential is short-lived and of the session', async () => {
  const session = await runningSession(world, project)
  const credential = await getCloneCredential(await session.daemon(), { project_id })
  expect(credential).toMatchObject({
    repo_url: `https://svc.example.test/v1/git/${project_id}.git`,
    source: 'managed',
    auth: { username: 'x-access-token', type: 'basic' },
    expires_at: new Date(world.clock.now().getTime() + 15 * 60_000).toISOString(),
  })
  const token = credential.auth?.token ?? ''
  expect(await whois(token)).toMatchObject({ type: 'session', session_id: session.session_id })
  world.clock.advance(15 * 60_000)
  await expect(whois(token)).rejects.toMatchObject({ code: 'session_token_revoked' })
  await expect(getCloneCredential(ctx, { project_id })).rejects.toMatchObject({ code: 'forbidden' })
})

test('a gateway key of a session goes with it', async () => {
  const session = await runningSession(world, project)
  const { SVC_LLM_API_KEY = '' } = await session.environment()
  // As when the key was minted in the moment of the deletion.
  await world.db
    .updateTable('project_sessions')
    .set({ deleted_at: world.clock.now() })
    .where('session_id', '=', session.session_id)
    .execute()
  await expect(whois(SVC_LLM_API_KEY)).rejects.toMatchObject({ code: 'session_token_revoked' })
})

test('a platform that dies while a project is archived leaves all of its sessions or none', async () => {
  const own = await makeProject(world, owner)
  for (let n = 0; n < 2; n += 1) await runningSession(world, own)
  for (let step = 1, archived = false; !archived; step += 1) {
    const fault = dieAt(step)
    await archiveProject({ ...own.ctx, db: fault.db(own.ctx.db) }, own).catch((error: unknown) => {
      if (!fault.died) throw error
    })
    archived = (await projects.find(world.db, own.project_id))?.status === 'archived'
    expect(await sessions.listOfProject(world.db, own.project_id)).toHaveLength(archived ? 0 : 2)
  }
})

test('a session that was asked for while its project was archived never comes up', async () => {
  const own = await makeProject(world, owner)
  const session = await newSession(world, own)
  // As when it was written right after the archive had looked for sessions.
  await projects.archive(world.db, own.project_id, world.clock.now())
  await world.queue.drain()
  expect(await session.row()).toMatchObject({ external_id: null, runtime_status: 'archived' })
  expect((await session.row()).deleted_at).not.toBeNull()
})

test('an archived project takes its tokens, sessions and sandboxes along', async () => {
  const own = await makeProject(world, owner)
  const key = { project_id: own.project_id }
  const { token } = await createProjectToken(own.ctx, key)
  const running = await runningSession(world, own)
  const { SVC_CLI_TOKEN = '', SVC_SANDBOX_TOKEN = '' } = await running.environment()
  const { external_id } = await running.row()
  await archiveProject(own.ctx, key)
  for (const each of [token, SVC_CLI_TOKEN]) {
    await expect(whois(each)).rejects.toMatchObject({ code: 'session_token_revoked' })
  }
  await expect(whois(SVC_SANDBOX_TOKEN)).rejects.toMatchObject({ code: 'unauthorized' })
  await expect(getProject(own.ctx, key)).rejects.toMatchObject({ code: 'project_archived' })
  await expect(archiveProject(own.ctx, key)).rejects.toMatchObject({ code: 'project_archived' })
  const stranger = world.as((await addOwner(world)).principal)
  await expect(getProject(stranger, key)).rejects.toMatchObject({ code: 'not_found' })
  expect((await listProjects(own.ctx)).map((each) => each.project_id)).not.toContain(own.project_id)
  await world.queue.drain()
  expect(world.provider.sandboxes.has(external_id ?? '')).toBe(false)
  expect(await own.tip(running.session_id)).toMatch(/^[0-9a-f]{40}$/)
})

test('the tokens table signs nobody in', async () => {
  const { token } = await createToken(ctx, { name: 'secret' })
  const { rows } = await sql<{ dump: string }>`select tokens::text as dump from tokens`.execute(world.db)
  const dump = rows.map((row) => row.dump).join('\n')
  expect(dump).not.toContain(token)
  expect(dump).not.toContain(token.slice(12))
  for (const hash of dump.matchAll(/\\\\x([0-9a-f]{64})/g)) {
    await expect(whois(`svc_pat_${hash[1]}`)).rejects.toMatchObject({ code: 'unauthorized' })
  }
})

test('the first account is made once, and a lost token of it is replaced', async () => {
  const first = await ensureFirstAccount(world.base, null)
  expect(await whois(first.token)).toMatchObject({ type: 'user', user_id: first.user_id })
  expect(await ensureFirstAccount(world.base, first)).toEqual(first)
  const replaced = await ensureFirstAccount(world.base, { ...first, token: 'svc_pat_lost' })
  expect(replaced).toMatchObject({ account_id: first.account_id, user_id: first.user_id })
  expect(await whois(replaced.token)).toMatchObject({ user_id: first.user_id })
})
