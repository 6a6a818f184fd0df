import { authenticate } from '@svc/context'
import { gatewayAccess } from '@svc/db'
import { storedCredential } from '@svc/context'
import { makeProject, openWorld } from '@svc/services/testing'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  createGatewayKey,
  listGatewayKeys,
  revokeGatewayKey,
  rotateGatewayKey,
  setKeyRules,
  updateGatewayKey,
} from '../src/index.ts'

const world = await openWorld()
const none = { requests_per_minute: null, tokens_per_minute: null, concurrency: null, models: null }
const whois = (token: string) => authenticate(world.base, token)
const later = (ms: number) => new Date(world.clock.now().getTime() + ms)
const refused = (code: string) => expect.objectContaining({ code })

async function mayAsk(token: string) {
  const stored = storedCredential(token)
  return stored && gatewayAccess.find(world.db, stored.hash, world.clock.now())
}

test('a key has limits from its creation, which change by name and are lifted by null', async () => {
  const { ctx, project_id } = await makeProject(world)
  const limits = { requests_per_minute: 60, models: ['acme/*'] }
  const key = await createGatewayKey(ctx, { project_id, name: 'ci', limits })
  expect(key).toMatchObject({ limits: { ...none, ...limits }, rotated_from: null })
  expect(await mayAsk(key.token)).toMatchObject({ key_models: ['acme/*'] })

  const change = { requests_per_minute: null, concurrency: 2 }
  const changed = await updateGatewayKey(ctx, {
    project_id,
    token_id: key.token_id,
    name: 'ci 2',
    limits: change,
  })
  expect(changed).toMatchObject({ name: 'ci 2', limits: { ...none, concurrency: 2, models: ['acme/*'] } })
  expect((await listGatewayKeys(ctx, { project_id })).tokens).toEqual([changed])

  await updateGatewayKey(ctx, {
    project_id,
    token_id: key.token_id,
    limits: { concurrency: null, models: null },
  })
  expect((await listGatewayKeys(ctx, { project_id })).tokens).toMatchObject([{ name: 'ci 2', limits: none }])
  expect(await mayAsk(key.token)).toMatchObject({ key_models: null })
})

test('a key of another project, of a session or revoked is neither changed nor rotated', async () => {
  const [own, other] = [await makeProject(world), await makeProject(world)]
  const key = await createGatewayKey(own.ctx, { project_id: own.project_id, name: 'x' })
  const foreign = { project_id: other.project_id, token_id: key.token_id }
  await expect(updateGatewayKey(other.ctx, { ...foreign, name: 'y' })).rejects.toEqual(refused('not_found'))
  await expect(rotateGatewayKey(other.ctx, foreign)).rejects.toEqual(refused('not_found'))
  const mine = { project_id: own.project_id, token_id: key.token_id }
  await revokeGatewayKey(own.ctx, mine)
  await expect(updateGatewayKey(own.ctx, { ...mine, name: 'y' })).rejects.toEqual(refused('not_found'))
  await expect(rotateGatewayKey(own.ctx, mine)).rejects.toEqual(refused('not_found'))
})

test('a rotation gives the same limits and as much time, and ends the old key at once or after the grace', async () => {
  const { ctx, project_id, account_id } = await makeProject(world)
  const expires_at = later(86_400_000).toISOString()
  const limits = { concurrency: 3 }
  const first = await createGatewayKey(ctx, { project_id, name: 'ci', limits, expires_at })
  world.clock.advance(3_600_000)
  const second = await rotateGatewayKey(ctx, { project_id, token_id: first.token_id })
  expect(second).toMatchObject({
    name: 'ci',
    limits: { ...none, concurrency: 3 },
    rotated_from: first.token_id,
    expires_at: later(86_400_000),
  })
  await expect(whois(first.token)).rejects.toEqual(refused('session_token_revoked'))

  world.clock.advance(1_000)
  const third = await rotateGatewayKey(ctx, { project_id, token_id: second.token_id, grace_seconds: 60 })
  expect(await mayAsk(second.token)).toBeDefined()
  expect((await listGatewayKeys(ctx, { project_id })).tokens).toMatchObject([
    { token_id: third.token_id, rotated_from: second.token_id },
    { token_id: second.token_id, expires_at: later(60_000) },
  ])
  world.clock.advance(61_000)
  expect(await mayAsk(second.token)).toBeUndefined()
  expect(await mayAsk(third.token)).toBeDefined()
  await expect(rotateGatewayKey(ctx, { project_id, token_id: second.token_id })).rejects.toEqual(
    refused('not_found'),
  )

  await setKeyRules(ctx, { account_id, expiry_required: false, max_days: 1 })
  expect(await rotateGatewayKey(ctx, { project_id, token_id: third.token_id })).toMatchObject({
    expires_at: later(86_400_000),
  })
})

test('a rotation is no way around the budgets of a key', async () => {
  const { ctx, project_id, account_id, owner } = await makeProject(world)
  const key = await createGatewayKey(ctx, { project_id, name: 'ci' })
  const budget = (subject: string | null) =>
    sql`
    with b as (insert into gateway_budgets (budget_id, account_id, project_id, name, level, subject, period, cap_micros,
        mode, created_by, created_at, updated_at)
      values (gen_random_uuid(), ${account_id}, ${project_id}, 'B', 'key', ${subject}, 'total', 100, 'block',
        ${owner.user_id}, now(), now()) returning budget_id)
    insert into gateway_budget_windows (budget_id, subject, window_start, lock_order, spent_micros)
    select budget_id, ${key.token_id}, to_timestamp(0), 6, 70 from b`.execute(world.db)
  await budget(key.token_id)
  await budget(null)
  const { token_id } = await rotateGatewayKey(ctx, { project_id, token_id: key.token_id })
  const { rows } = await sql<{ subject: string | null; spent_micros: number; cap_micros: number }>`
    select b.subject, w.spent_micros, b.cap_micros from gateway_budget_windows w join gateway_budgets b using (budget_id)
    where w.subject = ${token_id} order by b.subject nulls last`.execute(world.db)
  expect(rows).toEqual([
    { subject: token_id, spent_micros: 70, cap_micros: 100 },
    { subject: null, spent_micros: 70, cap_micros: 100 },
  ])
})
