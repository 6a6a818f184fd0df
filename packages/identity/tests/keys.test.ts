import { authenticate } from '@svc/context'
import { addMember, makeProject, openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import {
  createGatewayKey,
  createProjectToken,
  createServiceAccount,
  createServiceAccountKey,
  createToken,
  listGatewayKeys,
  revokeGatewayKey,
  setKeyRules,
} from '../src/index.ts'

const world = await openWorld()
const project = await makeProject(world)
const { project_id, owner, ctx } = project
const whois = (token: string) => authenticate(world.base, token)
const inDays = (days: number) => new Date(world.clock.now().getTime() + days * 86_400_000).toISOString()
const refused = (code: string) => expect.objectContaining({ code })

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
