import { formatToken } from '@svc/access'
import { authenticate } from '@svc/context'
import { expect, test } from 'vitest'
import { getCloneCredential } from '../../src/index.ts'
import { makeProject, openWorld, runningSession } from '../../src/testing/index.ts'

const world = await openWorld()
const project = await makeProject(world)
const { project_id, ctx } = project
const whois = (token: string) => authenticate(world.base, token)

test('what the platform never formed is refused without a query', async () => {
  const token = formatToken('svc_pat_', new Uint8Array(32).fill(3))
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
