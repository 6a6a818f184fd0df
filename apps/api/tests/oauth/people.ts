import { tokens as tokenRows } from '@svc/db'
import * as client from 'openid-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { mint } from '../support/credentials.ts'
import { type App, platform, owner, newApp, ask, tokensFor, me } from './world.ts'

describe('a person with a password', () => {
  const password = 'correct horse battery'
  const email = 'owner@svc.invalid'
  let account_id = ''
  beforeAll(async () => {
    const { call } = platform
    account_id = (await call('/v1/accounts/me', { token: owner.token })).pick('account_id')
    const set = await call('/v1/auth/user', { method: 'PATCH', token: owner.token, json: { password } })
    expect(set.status, set.text).toBeLessThan(300)
  })

  async function byPassword(app: App) {
    const { url, verifier, state } = await ask(app)
    const page = await app.browser.open(url.href)
    const consent = await app.browser.submit(page, { step: 'password', email, password })
    const landed = new URL((await app.browser.submit(consent, { step: 'approve' })).url)
    const checks = { pkceCodeVerifier: verifier, expectedState: state }
    return client.authorizationCodeGrant(app.config, landed, checks)
  }

  test('signs in with it, and leaves no other sign-in behind', async () => {
    const { access_token } = await byPassword(await newApp())
    expect((await me(access_token)).status).toBe(200)
    const open = await platform.database.db
      .selectFrom('sign_ins')
      .selectAll()
      .where('ended_at', 'is', null)
      .execute()
    expect(open).toEqual([])
  })

  test('who gave no second factor stays out of accounts that ask for one, with their apps as well', async () => {
    const { access_token } = await byPassword(await newApp())
    const proved = await tokensFor(await newApp())
    const { db } = platform.database
    const path = `/v1/accounts/${account_id}/members`
    expect((await me(access_token, path)).status).toBe(200)
    await db
      .updateTable('accounts')
      .set({ mfa_required: true })
      .where('account_id', '=', account_id)
      .execute()
    const refused = await me(access_token, path)
    expect(await refused.json()).toMatchObject({ status: 403, code: 'account_mfa_required' })
    expect((await me(proved.access_token, path)).status).toBe(200)
    await db
      .updateTable('accounts')
      .set({ mfa_required: false })
      .where('account_id', '=', account_id)
      .execute()
  })

  test('an app is over when the person is deactivated', async () => {
    const tokens = await tokensFor(await newApp())
    await tokenRows.revokeOfUser(platform.database.db, { user_id: platform.owner.user_id }, new Date())
    expect((await me(tokens.access_token)).status).toBe(401)
    const rows = await platform.database.db
      .selectFrom('oauth_artefacts')
      .select('model')
      .where('user_id', '=', platform.owner.user_id)
      .execute()
    expect(new Set(rows.map(({ model }) => model))).toEqual(new Set(['AccessToken']))
    owner.token = (await mint(platform.database.db, { kind: 'user', user_id: platform.owner.user_id })).token
  })
})
