import { authenticate, mintToken } from '@svc/context'
import { addOwner, makeProject, newSession, openWorld } from '@svc/services/testing'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { createToken, listTokens, revokeToken } from '../src/index.ts'

const world = await openWorld()
const project = await makeProject(world)
const { ctx, owner } = project
const whois = (token: string) => authenticate(world.base, token)

test('a user token is its person, until it is revoked', async () => {
  const { token, ...shown } = await createToken(ctx, { name: 'laptop' })
  expect(shown).toMatchObject({ kind: 'user', name: 'laptop', prefix: token.slice(0, 12), project_id: null })
  expect(await whois(token)).toEqual({ type: 'user', user_id: owner.user_id, token_id: shown.token_id })
  expect((await listTokens(ctx)).tokens).toMatchObject([
    { token_id: shown.token_id, last_used_at: world.clock.now() },
  ])
  expect(JSON.stringify(await listTokens(ctx))).not.toContain(token)
  const other = world.as((await addOwner(world)).principal)
  await expect(revokeToken(other, shown)).rejects.toMatchObject({ code: 'not_found' })
  await revokeToken(ctx, shown)
  await expect(whois(token)).rejects.toMatchObject({ code: 'session_token_revoked' })
  await expect(revokeToken(ctx, shown)).rejects.toMatchObject({ code: 'not_found' })
  expect((await listTokens(ctx)).tokens).toEqual([])
})

test('last_used_at is written once a minute at the most', async () => {
  const { token, token_id } = await createToken(ctx, { name: 'busy' })
  const used = async () => {
    await whois(token)
    return (await listTokens(ctx)).tokens.find((each) => each.token_id === token_id)?.last_used_at
  }
  const first = await used()
  world.clock.advance(59_000)
  expect(await used()).toEqual(first)
  world.clock.advance(2000)
  expect(await used()).toEqual(world.clock.now())
})

test('an expiry lies in the future, and then it is over', async () => {
  const now = world.clock.now().getTime()
  await expect(
    createToken(ctx, { name: 'x', expires_at: new Date(now).toISOString() }),
  ).rejects.toMatchObject({
    code: 'invalid_request',
  })
  const { token } = await createToken(ctx, { name: 'x', expires_at: new Date(now + 1000).toISOString() })
  expect((await whois(token)).type).toBe('user')
  world.clock.advance(1000)
  await expect(whois(token)).rejects.toMatchObject({ code: 'session_token_revoked' })
})

test('the tokens table signs nobody in', async () => {
  const { token } = await createToken(ctx, { name: 'secret' })
  const { rows } = await sql<{ dump: string }>`select tokens::text as dump from tokens`.execute(world.db)
  const dump = rows.map((row) => row.dump).join('\n')
  expect(dump).not.toContain(token)
  expect(dump).not.toContain(token.slice(12))
  for (const hash of dump.matchAll(/\\\\x([0-9a-f]{64})/g)) {
    await expect(whois(`svc_pat_${hash[1]}`)).rejects.toMatchObject({ code: 'unauthorized' })
  }
})

test('a token of a session is found with its session, by one statement, and ends with it', async () => {
  const { session_id } = await newSession(world, project)
  const { project_id } = project
  const whose = { name: 'test', user_id: owner.user_id, project_id, session_id }
  const { secret, row } = await mintToken(world.base, world.db, { kind: 'session', ...whose })
  await whois(secret)
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const principal = await whois(secret)
  const asked = query.mock.calls.length
  query.mockRestore()
  expect(asked).toBe(1)
  const { token_id } = row
  expect(principal).toMatchObject({ type: 'session', session_id, tree_id: session_id, token_id })
  const deleted_at = world.clock.now()
  await world.db
    .updateTable('project_sessions')
    .set({ deleted_at })
    .where('session_id', '=', session_id)
    .execute()
  await expect(whois(secret)).rejects.toMatchObject({ code: 'session_token_revoked' })
})
