import { describe, expect, test } from 'vitest'
import { ask, caller, mailTo, me, password, post, refused, signedUp, signIn, tokensOf } from './world.ts'

describe('a password', () => {
  test('is reset by mail, which ends the sign-ins that were', async () => {
    const { email, access } = await signedUp()
    await post('/password/reset', { email })
    const { code } = await mailTo(email, 'Set a new password')
    const fresh = 'another horse battery'
    expect(await post('/password/reset', { email, token: code, password: 'short' })).toMatchObject(
      refused(422, 'weak_password'),
    )
    const reset = await post('/password/reset', { email, token: code, password: fresh })
    expect(reset).toMatchObject({ status: 200, body: { user: { email } } })
    expect(await me(access)).toMatchObject({ status: 401, body: { code: 'session_token_revoked' } })
    expect(await me(tokensOf(reset.body).access)).toMatchObject({ status: 200 })
    expect(await signIn(email)).toMatchObject(refused(401, 'invalid_credentials'))
    expect(await signIn(email, { password: fresh })).toMatchObject({ status: 200 })
    await mailTo(email, 'Your password was changed')
  })

  test('is changed by whoever knows it, and the others are signed out', async () => {
    const { email, access } = await signedUp()
    const other = tokensOf((await signIn(email)).body)
    const change = (current_password?: string) =>
      ask(
        'PATCH',
        '/auth/user',
        { password: 'another horse battery', ...(current_password && { current_password }) },
        access,
      )
    for (const wrong of [undefined, 'wrong horse battery']) {
      expect(await change(wrong)).toMatchObject(refused(401, 'invalid_credentials'))
    }
    expect(await change(password)).toMatchObject({ status: 200 })
    expect((await me(access)).status).toBe(200)
    expect((await me(other.access)).status).toBe(401)
  })

  test('is guessed ten times from one address and then not even taken when right', async () => {
    const { email } = await signedUp()
    for (let n = 0; n < 10; n++) {
      expect(await signIn(email, { password: `wrong horse ${n}` })).toMatchObject(
        refused(401, 'invalid_credentials'),
      )
    }
    const over = await signIn(email)
    expect(over).toMatchObject(refused(429, 'over_request_rate_limit'))
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
    caller.address = '203.0.113.200'
    expect(await signIn(email)).toMatchObject({ status: 200 })
  })
})
