import { sumUpOldCalls } from '@svc/spend'
import { costMicros } from '@svc/models'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'
import { callsOn, card } from './calls.ts'

const { ask, newProject, account_id, platform, token } = await openWorld()
const { db } = platform.parts
const calls = callsOn(db)
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

let project_id: string
let [first, second, refused] = ['', '', '']
beforeAll(async () => {
  project_id = await newProject()
  const where = { account_id, project_id }
  first = await calls.spend(where, 1_000, { agent_name: '=cmd()' })
  second = await calls.spend(where, 500, { agent_name: 'ada', model: 'acme/two' })
  await sql`update gateway_calls set at = at - interval '3 days' where call_id = ${first}`.execute(db)
  await ask('POST', `/v1/projects/${project_id}/gateway/budgets`, { level: 'call', cap_micros: 0 })
  await calls.admit(where, { agent_name: 'eve' })
  const { rows } = await sql<{ call_id: string }>`
    select call_id from gateway_calls where project_id = ${project_id} and status = 'refused'`.execute(db)
  refused = rows[0]?.call_id ?? ''
})

const logs = async (query = '') => {
  const { body } = await ask('GET', `/v1/projects/${project_id}/gateway/logs${query}`)
  return Object(body).calls.map(({ call_id }: { call_id: string }) => call_id)
}
const spend = async (query = '') => ask('GET', `/v1/projects/${project_id}/gateway/spend${query}`)

describe('the log', () => {
  test('has every call, the newest first, page by page', async () => {
    expect(await logs()).toEqual([refused, second, first])
    const path = `/v1/projects/${project_id}/gateway/logs?limit=2`
    const page = Object((await ask('GET', path)).body)
    const next = Object((await ask('GET', `${path}&cursor=${page.next_cursor}`)).body)
    expect([page.calls.length, next.calls.length, next.next_cursor]).toEqual([2, 1, null])
    expect(Object.keys(page.calls[0])).not.toContain('lost_micros')
  })

  test('is filtered by each of its filters', async () => {
    expect(await logs('?agent=ada')).toEqual([second])
    expect(await logs('?model=acme/two')).toEqual([second])
    expect(await logs('?status=settled')).toEqual([second, first])
    expect(await logs('?code=budget_exceeded')).toEqual([refused])
    expect(await logs(`?until=${day(1)}T00:00:00Z`)).toEqual([first])
    expect(await logs(`?since=${day(1)}T00:00:00Z`)).toEqual([refused, second])
    expect(await logs(`?session_id=${project_id}`)).toEqual([])
    const { token_id } = Object((await ask('GET', `/v1/projects/${project_id}/gateway/logs/${second}`)).body)
    expect(await logs(`?token_id=${token_id}`)).toEqual([second])
    for (const query of ['status=lost_it', 'since=yesterday', 'session_id=x', 'limit=0', 'cursor=x'])
      expect((await ask('GET', `/v1/projects/${project_id}/gateway/logs?${query}`)).status).toBe(400)
  })

  test('shows a call with the card that its cost comes from', async () => {
    const call = Object((await ask('GET', `/v1/projects/${project_id}/gateway/logs/${first}`)).body)
    expect(call).toMatchObject({ cost_micros: 1_000, price: { card, source: null }, status: 'settled' })
    expect(call.price.price_id).toBe(call.price_id)
    expect(Number(costMicros(call, call.price.card))).toBe(call.cost_micros)
    expect(await ask('GET', `/v1/projects/${await newProject()}/gateway/logs/${first}`)).toMatchObject({
      status: 404,
    })
    const price = {
      updated_at: new Date(),
      model: 'acme/one',
      price_id: call.price_id,
      card: JSON.stringify(card),
    }
    await db
      .insertInto('gateway_prices')
      .values({ ...price, scope: 'project', project_id, account_id: null })
      .execute()
    const now = Object((await ask('GET', `/v1/projects/${project_id}/gateway/logs/${first}`)).body)
    expect(now.price.source).toBe('project')
  })

  test('says which budget refused a call', async () => {
    const call = Object((await ask('GET', `/v1/projects/${project_id}/gateway/logs/${refused}`)).body)
    const { budgets } = Object((await ask('GET', `/v1/projects/${project_id}/gateway/budgets`)).body)
    expect(call).toMatchObject({ code: 'budget_exceeded', budget_id: budgets[0].budget_id, cost_micros: 0 })
  })
})

describe('spend', () => {
  test('is by day unless it is asked otherwise, and its rows add up', async () => {
    const { body } = await spend()
    expect(body).toMatchObject({
      since: day(30),
      until: day(0),
      rows: [
        {
          day: day(3),
          calls: 1,
          input_tokens: 1_000,
          cost_micros: 1_000,
          billed_micros: 0,
          unpriced_calls: 0,
        },
        { day: day(0), calls: 1, input_tokens: 500, cost_micros: 500 },
      ],
      total: { calls: 2, cost_micros: 1_500 },
    })
    expect((await spend(`?since=${day(2)}&group_by=model,agent`)).body).toMatchObject({
      rows: [{ model: 'acme/two', agent: 'ada', cost_micros: 500 }],
      total: { cost_micros: 500 },
    })
    expect((await spend(`?since=${day(400)}&until=${day(390)}`)).body).toMatchObject({
      rows: [],
      total: { calls: 0, cost_micros: 0 },
    })
  })

  test('refuses groups that a project does not have, and more than a year', async () => {
    for (const query of ['group_by=project', 'group_by=day,,model', 'since=yesterday', `since=${day(366)}`])
      expect(await spend(`?${query}`)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })

  test('is CSV that no spreadsheet takes for formulas', async () => {
    const { text } = await spend('?group_by=agent&format=csv')
    const head = 'agent,calls,input_tokens,output_tokens,cache_read_tokens,cache_write_tokens,unpriced_calls'
    expect(text).toBe(
      `${head},cost_micros,billed_micros,cost_usd\r\n'=cmd(),1,1000,0,0,0,0,1000,0,0.001000\r\nada,1,500,0,0,0,0,500,0,0.000500\r\n`,
    )
    const accepted = await platform.call(`/v1/projects/${project_id}/gateway/spend`, {
      token,
      headers: { accept: 'text/csv' },
    })
    expect(accepted.text).toMatch(/^day,calls,/)
  })

  test('stays the same when calls become the sums of their days', async () => {
    const before = (await spend('?group_by=day,agent,model,key')).body
    const removed = await sumUpOldCalls({ db, now: () => new Date() }, 1)
    expect(removed).toBeGreaterThan(0)
    expect((await spend('?group_by=day,agent,model,key')).body).toEqual(before)
  })

  test('of an account is that of its projects, of the platform that of all', async () => {
    const account = await ask('GET', `/v1/accounts/${account_id}/gateway/spend?group_by=project`)
    expect(account.body).toMatchObject({ rows: [{ project: project_id, cost_micros: 1_500 }] })
    const all = await ask('GET', '/v1/admin/gateway/spend?group_by=account,day')
    expect(all.body).toMatchObject({
      rows: [{ account: account_id, cost_micros: 1_000 }, { cost_micros: 500 }],
    })
    expect((await ask('GET', `/v1/accounts/${account_id}/gateway/spend?group_by=account`)).status).toBe(400)
  })
})
