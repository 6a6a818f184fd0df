import * as client from 'openid-client'
import { expect, test } from 'vitest'
import { mintForApp } from '../support/credentials.ts'
import { clock, me, newApp, owner, platform, tokensFor } from './world.ts'

const apps = async (token: string) => {
  const { body } = await platform.call('/v1/oauth/apps', { token })
  return Object(body).apps.map((app: object) => Object(app))
}
const revoke = (token: string, client_id: string) =>
  platform.call(`/v1/oauth/apps/${client_id}`, { method: 'DELETE', token })

test('a person sees the apps that act for them, and takes one back with all that it holds', async () => {
  const [mine, other] = [await newApp({ client_name: 'An editor' }), await newApp()]
  const client_id = mine.config.clientMetadata().client_id
  const [first, second] = [await tokensFor(mine), await tokensFor(mine, { scope: 'profile' })]
  const kept = await tokensFor(other)
  const listed = await apps(owner.token)
  expect(listed.find((app: { client_id: string }) => app.client_id === client_id)).toEqual({
    client_id,
    name: 'An editor',
    scopes: ['profile', 'svc'],
    approvals: 2,
    approved_at: expect.any(String),
    last_used_at: expect.any(String),
  })
  // Another person neither sees nor ends it, and no other app does.
  const stranger = await platform.stranger()
  expect(await apps(stranger.token)).toEqual([])
  expect(await revoke(stranger.token, client_id)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await revoke(kept.access_token, client_id)).toMatchObject({ status: 403 })
  expect((await me(first.access_token)).status).toBe(200)

  expect(await revoke(owner.token, client_id)).toMatchObject({ status: 204 })
  for (const { access_token, refresh_token = '' } of [first, second]) {
    expect(await (await me(access_token)).json()).toMatchObject({ code: 'session_token_revoked' })
    await expect(client.refreshTokenGrant(mine.config, refresh_token)).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  }
  expect((await me(kept.access_token)).status).toBe(200)
  expect(JSON.stringify(await apps(owner.token))).not.toContain(client_id)
  expect(await revoke(owner.token, client_id)).toMatchObject({ status: 404 })
  const events = await platform.database.db
    .selectFrom('audit_events')
    .select(['actor_id', 'target'])
    .where('action', '=', 'revokeOAuthApp')
    .where('outcome', '=', 'success')
    .execute()
  expect(events).toEqual([{ actor_id: platform.owner.user_id, target: `oauth/apps/${client_id}` }])
})

test('the command line is called by its name, and what holds nothing any more is not shown', async () => {
  const { user_id } = platform.owner
  await mintForApp(platform.database.db, { user_id, scope: 'svc' }, 'svc-cli')
  const names = async () => (await apps(owner.token)).map((app: { name: string }) => app.name)
  expect(await names()).toContain('The svc command line')
  clock.ahead = 2 * 3_600_000
  expect(await names()).not.toContain('The svc command line')
  clock.ahead = 0
})
