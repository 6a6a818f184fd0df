import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts, features, projects } from '../src/index.ts'
import { statements } from '../src/migrations/20261123T0210-gateway-opt-in.ts'
import { testDatabase, type TestDatabase } from '../src/testing/index.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

async function owner(email: string) {
  const [account_id, user_id, created_at] = [randomUUID(), randomUUID(), new Date()]
  await accounts.createWithOwner(
    database.db,
    { account_id, name: 'x', tier: 'self_host', created_at },
    { user_id, email, name: 'x', created_at },
  )
  const project = async () => {
    const project_id = randomUUID()
    const where = { name: 'x', slug: project_id, kind: 'managed', repo_url: `managed:${project_id}` } as const
    const sealed = { sealed_data_key: 'none', sealed_credential: null }
    const times = { created_at, updated_at: created_at, archived_at: null }
    const row = { project_id, account_id, created_by: user_id, default_branch: 'main' }
    await projects.insert(database.db, { ...row, ...where, ...sealed, ...times })
    return project_id
  }
  return { account_id, user_id, project }
}

test('projects that are there keep the model gateway, but where it was switched off', async () => {
  const { db } = database
  const first = await owner('owner@svc.invalid')
  const other = await owner('ada@example.com')
  const [kept, refused] = [await first.project(), await other.project()]
  const flag = { feature: 'model_gateway', updated_by: other.user_id, updated_at: new Date() } as const
  await features.set(db, { project_id: refused, ...flag, enabled: false })
  await sql`alter table plans drop column gateway`.execute(db)
  await sql`alter table accounts drop column gateway_new_projects`.execute(db)

  for (const statement of statements) await sql.raw(statement).execute(db)

  const decided = async (project_id: string) => features.find(db, project_id, 'model_gateway')
  expect([await decided(kept), await decided(refused)]).toEqual([true, false])
  const begins = async (account_id: string) => (await accounts.find(db, account_id))?.gateway_new_projects
  expect([await begins(first.account_id), await begins(other.account_id)]).toEqual([true, false])
  const plans = await db.selectFrom('plans').select(['tier', 'gateway']).orderBy('tier').execute()
  expect(Object.fromEntries(plans.map(({ tier, gateway }) => [tier, gateway]))).toEqual({
    free: 'own_keys',
    team: 'managed',
    enterprise: 'managed',
    self_host: 'managed',
  })
})
