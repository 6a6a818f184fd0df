import { describe, expect, test } from 'vitest'
import {
  ask,
  mailTo,
  me,
  newEmail,
  pass,
  password,
  post,
  refused,
  signedUp,
  signIn,
  tokensOf,
} from './world.ts'

describe('a sign-in', () => {
  test('goes on with a refresh, each token of which works once', async () => {
    const { access, refresh } = await signedUp()
    const next = await post('/refresh', { refresh_token: refresh })
    expect(next).toMatchObject({ status: 200 })
    const fresh = tokensOf(next.body)
    expect(await me(access)).toMatchObject({ status: 200 })
    expect(await me(fresh.access)).toMatchObject({ status: 200 })
    // A client that presents the old one again ends the whole of it.
    expect(await post('/refresh', { refresh_token: refresh })).toMatchObject(
      refused(401, 'refresh_token_already_used'),
    )
    for (const token of [access, fresh.access]) {
      expect(await me(token)).toMatchObject({ status: 401, body: { code: 'session_token_revoked' } })
    }
    expect(await post('/refresh', { refresh_token: fresh.refresh })).toMatchObject(
      refused(401, 'session_token_revoked'),
    )
  })

  test('that is refreshed by several at once goes to none of them', async () => {
    const { refresh } = await signedUp()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => post('/refresh', { refresh_token: refresh })),
    )
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    const { access } = tokensOf(won[0]?.body)
    expect(await me(access)).toMatchObject({ status: 401, body: { code: 'session_token_revoked' } })
  })

  test('ends by itself: the access token after an hour, the whole of it after ninety days', async () => {
    const person = await signedUp()
    pass(3_601_000)
    expect(await me(person.access)).toMatchObject({ status: 401, body: { code: 'session_token_revoked' } })
    expect(await ask('GET', '/auth/user', undefined, person.access)).toMatchObject(
      refused(401, 'session_token_revoked'),
    )
    let { refresh } = person
    for (const days of [29, 29, 29]) {
      pass(days * 86_400_000)
      refresh = tokensOf((await post('/refresh', { refresh_token: refresh })).body).refresh
    }
    pass(4 * 86_400_000)
    expect(await post('/refresh', { refresh_token: refresh })).toMatchObject(
      refused(401, 'session_token_revoked'),
    )
  })

  test.each([
    ['local', false, true],
    ['others', true, false],
    ['global', false, false],
  ])('signed out with scope %s', async (scope, here, there) => {
    const one = await signedUp()
    const two = tokensOf((await signIn(one.email)).body)
    expect(await post('/sign-out', { scope }, one.access)).toMatchObject({ status: 204 })
    expect((await me(one.access)).status).toBe(here ? 200 : 401)
    expect((await me(two.access)).status).toBe(there ? 200 : 401)
    expect((await post('/refresh', { refresh_token: two.refresh })).status).toBe(there ? 200 : 401)
  })

  test('signed out without a body', async () => {
    const { access } = await signedUp()
    expect(await ask('POST', '/auth/sign-out', undefined, access)).toMatchObject({ status: 204 })
    expect(await me(access)).toMatchObject({ status: 401 })
  })

  test.each(['refresh', 'link'])('its %s token is no bearer token', async (kind) => {
    const email = newEmail()
    await post('/signup', { email, password })
    const { link_token } = await mailTo(email)
    const verified = await post('/verify-otp', { type: 'signup', email, token: (await mailTo(email)).code })
    const token = kind === 'link' ? link_token : tokensOf(verified.body).refresh
    expect(await me(token)).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    expect(await post('/refresh', { refresh_token: tokensOf(verified.body).access })).toMatchObject(
      refused(401, 'refresh_token_not_found'),
    )
  })
})
