import { describe, expect, test } from 'vitest'
import { pick } from '../support/platform.ts'
import {
  ask,
  mails,
  mailTo,
  me,
  newEmail,
  password,
  platform,
  post,
  refused,
  signIn,
  switches,
  tokensOf,
} from './world.ts'

describe('signing up', () => {
  test('an address that is confirmed by its code is a person who acts everywhere a user token does', async () => {
    const email = newEmail()
    const asked = await post('/signup', { email: email.toUpperCase(), password, name: 'Ada' })
    expect(asked).toMatchObject({ status: 200, body: { session: null, user: null } })
    const { code, text } = await mailTo(email)
    expect(text).toContain('https://svc.example.com/v1/auth/link#type=signup&token=svc_lnk_')
    expect(await signIn(email)).toMatchObject(refused(401, 'invalid_credentials'))

    const spaced = `${code.slice(0, 4)} ${code.slice(4)}`
    const verified = await post('/verify-otp', { type: 'signup', email, token: spaced })
    expect(verified.body).toEqual({
      session: {
        access_token: expect.stringMatching(/^svc_usr_/),
        refresh_token: expect.stringMatching(/^svc_urt_/),
        token_type: 'bearer',
        expires_in: 3600,
        expires_at: expect.any(Number),
      },
      user: {
        user_id: expect.any(String),
        email,
        name: 'Ada',
        email_verified: true,
        two_factor: false,
        created_at: expect.any(String),
      },
    })
    const { access } = tokensOf(verified.body)
    expect(await me(access)).toMatchObject({
      status: 200,
      body: { email, accounts: [{ role: 'owner', tier: 'free' }] },
    })
    expect(await ask('GET', '/auth/user', undefined, access)).toMatchObject({ body: { user: { email } } })
    const minted = await ask('POST', '/accounts/tokens', { name: 'laptop' }, access)
    expect(minted).toMatchObject({ status: 201 })
    const project = await ask('POST', '/projects/provision', { name: 'Shop' }, access)
    expect(project).toMatchObject({ status: 201 })
    expect(await signIn(email)).toMatchObject({ status: 200, body: { user: { email } } })
  })

  test('the link of the mail does the same, once', async () => {
    const email = newEmail()
    await post('/signup', { email, password })
    const { link_token } = await mailTo(email)
    expect(await post('/verify-otp', { type: 'magic_link', link_token })).toMatchObject(
      refused(401, 'otp_expired'),
    )
    expect(await post('/verify-otp', { type: 'signup', link_token })).toMatchObject({ status: 200 })
    expect(await post('/verify-otp', { type: 'signup', link_token })).toMatchObject(
      refused(401, 'otp_expired'),
    )
  })

  test.each([
    ['short', 'too short'],
    ['aaaaaaaaaaaaaaaa', 'too plain'],
  ])('%s is no password', async (weak) => {
    expect(await post('/signup', { email: newEmail(), password: weak })).toMatchObject(
      refused(422, 'weak_password'),
    )
  })

  test('by invitation alone: others get the same answer and no mail; the invited joins', async () => {
    switches.sign_up = 'invited'
    const { owner } = platform
    const account_id = pick((await me(owner.token)).body, 'account_id')
    const [invited, uninvited] = [newEmail(), newEmail()]
    const invitation = await ask(
      'POST',
      `/accounts/${account_id}/invitations`,
      { email: invited },
      owner.token,
    )
    for (const email of [uninvited, invited]) {
      expect(await post('/signup', { email, password })).toMatchObject({
        status: 200,
        body: { session: null, user: null },
      })
    }
    const { code } = await mailTo(invited)
    expect(mails.some(({ to }) => to === uninvited)).toBe(false)
    const verified = await post('/verify-otp', { type: 'signup', email: invited, token: code })
    const { access } = tokensOf(verified.body)
    expect(await me(access)).toMatchObject({ status: 404 })
    const token = pick(invitation.body, 'token')
    expect(await ask('POST', '/accounts/invitations/accept', { token }, access)).toMatchObject({
      status: 200,
    })
    expect(await me(access)).toMatchObject({ status: 200, body: { account_id } })
  })
})
