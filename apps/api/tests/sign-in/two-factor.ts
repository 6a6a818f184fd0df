import { describe, expect, test } from 'vitest'
import { pick } from '../support/platform.ts'
import {
  ask,
  caller,
  mailTo,
  me,
  pass,
  password,
  platform,
  post,
  refused,
  signedUp,
  signIn,
  tokensOf,
  totpCode,
  withTotp,
} from './world.ts'

describe('two-factor', () => {
  test('asks for a code of the app at every way in, and takes each once', async () => {
    const person = await signedUp()
    const other = tokensOf((await signIn(person.email)).body)
    const { secret } = await withTotp(person)
    expect((await me(other.access)).status).toBe(401)
    expect(await ask('GET', '/auth/user', undefined, person.access)).toMatchObject({
      body: { user: { two_factor: true } },
    })
    expect(await signIn(person.email)).toMatchObject(refused(401, 'totp_required'))
    const code = totpCode(secret)
    expect(await signIn(person.email, { totp_code: code })).toMatchObject({ status: 200 })
    expect(await signIn(person.email, { totp_code: code })).toMatchObject(refused(401, 'invalid_credentials'))
    expect(await signIn(person.email, { password: 'wrong horse battery', totp_code: code })).toMatchObject({
      status: 401,
    })

    await post('/sign-in/magic-link', { email: person.email })
    const sent = await mailTo(person.email, 'Sign in')
    const link = { type: 'magic_link', email: person.email, token: sent.code }
    expect(await post('/verify-otp', link)).toMatchObject(refused(401, 'totp_required'))
    pass(30_000)
    expect(await post('/verify-otp', { ...link, totp_code: totpCode(secret) })).toMatchObject({ status: 200 })

    await post('/password/reset', { email: person.email })
    const recovery = await mailTo(person.email, 'Set a new password')
    const reset = { email: person.email, token: recovery.code, password: 'another horse battery' }
    expect(await post('/password/reset', reset)).toMatchObject(refused(401, 'totp_required'))
    pass(30_000)
    expect(await post('/password/reset', { ...reset, totp_code: totpCode(secret) })).toMatchObject({
      status: 200,
    })
  })

  test('a recovery code works once, also in small letters', async () => {
    const person = await signedUp()
    const { codes } = await withTotp(person)
    expect(new Set(codes).size).toBe(10)
    const totp_code = (codes[3] ?? '').toLowerCase()
    const uses = await Promise.all([1, 2].map(() => signIn(person.email, { totp_code })))
    expect(uses.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  test('is turned off with a code, not by a minted token, and on with the password', async () => {
    const person = await signedUp()
    const minted = await ask('POST', '/accounts/tokens', { name: 'x' }, person.access)
    const pat = pick(minted.body, 'token')
    expect(await post('/totp', { password }, pat)).toMatchObject(refused(403, 'forbidden'))
    expect(await post('/totp', {}, person.access)).toMatchObject(refused(401, 'invalid_credentials'))
    expect(await post('/totp/confirm', { code: '123456' }, person.access)).toMatchObject(
      refused(409, 'conflict'),
    )
    const { secret } = await withTotp(person)
    expect(await post('/totp', { password }, person.access)).toMatchObject(refused(409, 'conflict'))
    expect(await post('/totp/disable', { code: 'AAAA-BBBB' }, person.access)).toMatchObject(
      refused(401, 'invalid_credentials'),
    )
    expect(await post('/totp/disable', { code: totpCode(secret) }, person.access)).toMatchObject({
      status: 204,
    })
    expect(await signIn(person.email)).toMatchObject({ status: 200 })
  })

  test('is guessed ten times an hour at most', async () => {
    const person = await signedUp()
    const { secret } = await withTotp(person)
    const wrong = totpCode(secret) === '111111' ? '222222' : '111111'
    for (let n = 0; n < 10; n++) {
      caller.address = `203.0.113.${n}`
      expect(await signIn(person.email, { totp_code: wrong })).toMatchObject(
        refused(401, 'invalid_credentials'),
      )
    }
    expect(await signIn(person.email, { totp_code: totpCode(secret) })).toMatchObject(
      refused(429, 'over_request_rate_limit'),
    )
  })

  test('an account that asks for it is closed to sign-ins that lacked it', async () => {
    const person = await signedUp()
    const account_id = pick((await me(person.access)).body, 'account_id')
    const rules = `/accounts/${account_id}/sign-in-rules`
    const project = await ask('POST', '/projects/provision', { name: 'Safe' }, person.access)
    const project_id = pick(project.body, 'project_id')
    expect(await ask('PUT', rules, { mfa_required: true }, person.access)).toMatchObject({ status: 409 })
    await platform.database.db
      .updateTable('accounts')
      .set({ mfa_required: true })
      .where('account_id', '=', account_id)
      .execute()

    const required = { status: 403, body: { error: true, code: 'account_mfa_required' } }
    const asks: readonly [string, string, unknown?][] = [
      ['GET', rules],
      ['GET', `/accounts/${account_id}/members`],
      ['GET', `/projects/${project_id}`],
      ['GET', `/projects/${project_id}/sessions`],
      ['POST', '/projects/provision', { name: 'More' }],
      ['POST', '/accounts/tokens', { name: 'way out' }],
    ]
    for (const [method, path, json] of asks) {
      expect(await ask(method, path, json, person.access), path).toMatchObject(required)
    }
    expect(await ask('GET', '/projects', undefined, person.access)).toMatchObject({
      status: 200,
      body: [],
    })
    // The way in stays open: a person who turns it on is let in at once.
    const { secret } = await withTotp(person)
    for (const [method, path] of asks.filter(([method]) => method === 'GET')) {
      expect((await ask(method, path, undefined, person.access)).status, path).toBe(200)
    }
    const again = await signIn(person.email, { totp_code: totpCode(secret) })
    expect(await ask('PUT', rules, { mfa_required: false }, tokensOf(again.body).access)).toMatchObject({
      status: 200,
    })
  })
})
