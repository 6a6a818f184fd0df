import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { pick } from '../support/platform.ts'
import { ask, caller, me, password, platform, post, refused, secrets, signedUp, signIn } from './world.ts'

test('what happened stands in the log of the person, and no secret in it', async () => {
  const person = await signedUp()
  const account_id = pick((await me(person.access)).body, 'account_id')
  await signIn(person.email, { password: 'wrong horse battery' })
  await post('/refresh', { refresh_token: person.refresh })
  await post('/refresh', { refresh_token: person.refresh })
  const events = () =>
    platform.database.db
      .selectFrom('audit_events')
      .select(['action', 'outcome', 'ip'])
      .where('account_id', '=', account_id)
      .orderBy('seq')
      .execute()
  await expect
    .poll(async () => (await events()).map(({ action, outcome }) => `${action} ${outcome}`).sort())
    .toEqual([
      'refreshSignIn denied',
      'refreshSignIn success',
      'signInWithPassword denied',
      'verifyOtp success',
    ])
  expect((await events()).every(({ ip }) => ip === caller.address)).toBe(true)
})

test.each([
  ['POST', '/auth/sign-in/password', { email: 'no address', password }, 400, 'invalid_request'],
  ['POST', '/auth/sign-in/password', { email: 'a@example.com', password, extra: 1 }, 400, 'invalid_request'],
  [
    'POST',
    '/auth/verify-otp',
    { type: 'recovery', email: 'a@example.com', token: '1' },
    400,
    'invalid_request',
  ],
  ['POST', '/auth/refresh', { refresh_token: 'svc_urt_x' }, 401, 'refresh_token_not_found'],
  ['GET', '/auth/user', undefined, 401, 'unauthorized'],
  ['POST', '/auth/sign-out', {}, 401, 'unauthorized'],
  ['POST', '/auth/totp', {}, 401, 'unauthorized'],
])('%s %s with %o is %i %s, in the shape of the sign-in', async (method, path, json, status, error) => {
  const answer = await ask(method, path, json)
  expect(answer).toMatchObject({ status })
  expect(answer.body).toEqual({ error, error_description: expect.any(String) })
  expect([...answer.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
})

test('thirty requests a minute from one address', async () => {
  for (let n = 0; n < 30; n++) expect((await post('/refresh', { refresh_token: 'x' })).status).toBe(401)
  const over = await post('/refresh', { refresh_token: 'x' })
  expect(over).toMatchObject(refused(429, 'over_request_rate_limit'))
  expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
  expect([...over.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
})

test('a dump of the database holds no usable secret', async () => {
  const { db } = platform.database
  const tables = await sql<{
    name: string
  }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(db)
  const dump: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await sql<{
      row: string
    }>`select to_jsonb(t)::text as row from ${sql.table(name)} t`.execute(db)
    dump.push(...rows.map(({ row }) => `${name} ${row}`))
  }
  const text = dump.join('\n')
  expect(text).toContain('sign_in_codes')
  expect(text).toContain('user_totp')
  expect(secrets.size).toBeGreaterThan(50)
  for (const secret of secrets) {
    expect(text.includes(secret), `${secret.slice(0, 8)}… is in the dump`).toBe(false)
    const hex = Buffer.from(secret).toString('hex')
    expect(text.includes(hex)).toBe(false)
  }
  // A short code is not found by trying them all: its hash has a key.
  for (const secret of secrets) {
    if (!/^\d{8}$/.test(secret)) continue
    expect(text).not.toContain(createHash('sha256').update(secret).digest('hex'))
  }
  expect(platform.lines.join('\n')).not.toMatch(/svc_(usr|urt|lnk)_/)
})
