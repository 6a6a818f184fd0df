import { describe, expect, test } from 'vitest'
import { type Answer, api, caller, mailTo, newEmail, pass, post, signedUp, signIn } from './world.ts'

describe('nobody learns who has an address', () => {
  const asks: readonly [string, (email: string) => Promise<Answer>][] = [
    ['signing up', (email) => post('/signup', { email, password: 'another horse battery' })],
    ['asking for a link', (email) => post('/sign-in/magic-link', { email })],
    ['asking for a reset', (email) => post('/password/reset', { email })],
    ['a wrong password', (email) => post('/sign-in/password', { email, password: 'wrong horse battery' })],
    ['a wrong code', (email) => post('/verify-otp', { type: 'magic_link', email, token: '00000000' })],
  ]
  test.each(asks)('%s', async (_, send) => {
    const { email } = await signedUp()
    pass(61_000)
    const shapes = await Promise.all([email, newEmail()].map(async (one) => shapeOf(await send(one))))
    expect(shapes[0]).toEqual(shapes[1])
    pass(61_000)
    const again = await Promise.all(
      [email, newEmail()].map(async (one) => [shapeOf(await send(one)), shapeOf(await send(one))]),
    )
    expect(again[0]).toEqual(again[1])
  })

  test('a person who signs up again keeps their password, and hears of it by mail', async () => {
    const { email } = await signedUp()
    pass(61_000)
    await post('/signup', { email, password: 'another horse battery' })
    const { code } = await mailTo(email, 'You have signed up already')
    expect(code).toBe('')
    expect(await signIn(email)).toMatchObject({ status: 200 })
  })

  test('the link page says nothing and keeps what it is given to itself', async () => {
    const answer = await fetch(`${api.origin}/v1/auth/link`, {
      headers: { 'x-forwarded-for': caller.address },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'sha256-")
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  })
})

function shapeOf({ status, headers, body }: Answer) {
  const names = [...headers.keys()].filter((name) => name !== 'keep-alive').sort()
  return { status, names, body: JSON.stringify(body).replace(/\d+ seconds/, 'n seconds') }
}
