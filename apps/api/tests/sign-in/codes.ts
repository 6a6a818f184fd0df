import { describe, expect, test } from 'vitest'
import { mails, mailTo, pass, post, refused, signedUp } from './world.ts'

describe('a code', () => {
  test('allows five attempts, then not even the right one', async () => {
    const { email } = await signedUp()
    await post('/sign-in/magic-link', { email })
    const { code } = await mailTo(email, 'Sign in')
    const wrong = code === '11111111' ? '22222222' : '11111111'
    const guesses = await Promise.all(
      Array.from({ length: 8 }, () => post('/verify-otp', { type: 'magic_link', email, token: wrong })),
    )
    for (const guess of guesses) expect(guess).toMatchObject(refused(401, 'otp_expired'))
    expect(await post('/verify-otp', { type: 'magic_link', email, token: code })).toMatchObject(
      refused(401, 'otp_expired'),
    )
  })

  test('works once, even for two at once, and not for another purpose', async () => {
    const { email } = await signedUp()
    await post('/sign-in/magic-link', { email })
    const { code } = await mailTo(email, 'Sign in')
    const misuse = { email, token: code, password: 'another horse battery' }
    expect(await post('/password/reset', misuse)).toMatchObject(refused(401, 'otp_expired'))
    const uses = await Promise.all(
      [1, 2].map(() => post('/verify-otp', { type: 'magic_link', email, token: code })),
    )
    expect(uses.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  test('ends after ten minutes, and a newer one takes its place', async () => {
    const { email } = await signedUp()
    await post('/sign-in/magic-link', { email })
    const first = await mailTo(email, 'Sign in')
    expect(await post('/sign-in/magic-link', { email })).toMatchObject(
      refused(429, 'over_email_send_rate_limit'),
    )
    pass(61_000)
    const before = mails.length
    await post('/sign-in/magic-link', { email })
    await expect.poll(() => mails.length).toBeGreaterThan(before)
    const second = await mailTo(email, 'Sign in')
    expect(await post('/verify-otp', { type: 'magic_link', email, token: first.code })).toMatchObject({
      status: 401,
    })
    pass(10 * 60_000 + 1000)
    expect(await post('/verify-otp', { type: 'magic_link', email, token: second.code })).toMatchObject({
      status: 401,
    })
  })
})
