import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { openWorld } from './support/open-world.ts'
import { me, projectId, sessionId } from './support/records.ts'
import { ok } from './support/stub-api.ts'

const id = '11111111-1111-4111-8111-111111111111'
const { account_id } = me
const at = '2026-01-31T12:00:00.000Z'
const gateway = `/v1/projects/${projectId}/gateway`
const { api, bodyOf, ...world } = await openWorld({ 'GET /v1/accounts/me': () => ok(me) })
const run = (...args: string[]) => world.run(args)

const budget = {
  ...{
    budget_id: id,
    account_id,
    project_id: projectId,
    name: 'Nights',
    level: 'trigger',
    subject: 'nightly',
  },
  ...{ period: 'day', cap_micros: 5_000_000, mode: 'block', created_by: id, created_at: at, updated_at: at },
  windows: [
    {
      ...{ subject: 'nightly', window_start: at, resets_at: '2026-02-01T00:00:00.000Z' },
      ...{ spent_micros: 1_230_000, held_micros: 10_000 },
    },
  ],
  alerts: [],
}
const sums = {
  ...{ calls: 3, input_tokens: 5200, output_tokens: 880, cache_read_tokens: 0, cache_write_tokens: 0 },
  ...{ unpriced_calls: 1, cost_micros: 28_800, billed_micros: 0 },
}
const call = {
  ...{ call_id: id, at, account_id, project_id: projectId, session_id: sessionId, agent_name: 'ada' },
  ...{ model: 'acme/great', status: 'settled', code: null, input_tokens: 5200, output_tokens: 880 },
  ...{ cost_micros: 28_800, expires_at: null },
}

describe('budgets', () => {
  it('are set in US dollars, a day of the whole project unless it is said otherwise', async () => {
    api.routes[`POST ${gateway}/budgets`] = () => ({ status: 201, body: budget })
    expect(await run('gateway', 'budgets', 'set', '--cap', '5.00')).toMatchObject({
      code: 0,
      stdout: `Nights: $5.00 (block), ${id}\n`,
    })
    expect(bodyOf('POST')).toEqual({ level: 'project', period: 'day', cap_micros: 5_000_000 })
  })

  it('name what they are of, and are changed by their id', async () => {
    api.routes[`POST ${gateway}/budgets`] = () => ({ status: 201, body: budget })
    api.routes[`PATCH ${gateway}/budgets/${id}`] = () => ok(budget)
    const of = ['--level', 'trigger', '--subject', 'nightly', '--mode', 'alert', '--name', 'Nights']
    await run('gateway', 'budgets', 'set', '--cap', '0.5', '--period', 'week', ...of)
    expect(bodyOf('POST')).toEqual({
      ...{ level: 'trigger', subject: 'nightly', period: 'week', cap_micros: 500_000 },
      ...{ mode: 'alert', name: 'Nights' },
    })
    await run('gateway', 'budgets', 'set', id, '--cap', '10')
    expect(bodyOf('PATCH')).toEqual({ cap_micros: 10_000_000 })
  })

  it('without an amount, or with another level, are a mistake that asks nothing', async () => {
    for (const args of [[], ['--cap', 'five'], ['--cap', '-1'], [id, '--level', 'key', '--cap', '1']])
      expect(await run('gateway', 'budgets', 'set', ...args)).toMatchObject({ code: 2 })
    expect(api.calls).toEqual([])
  })

  it('are listed with what is spent, and removed', async () => {
    api.routes[`GET ${gateway}/budgets`] = () => ok({ budgets: [budget] })
    api.routes[`DELETE ${gateway}/budgets/${id}`] = () => ({ status: 204 })
    const { stdout } = await run('gateway', 'budgets', 'ls')
    expect(stdout).toMatch(/^Nights\s+trigger nightly\s+day\s+\$1\.23\s+\$0\.01\s+\$5\.00\s+2026-02-01/m)
    expect((await run('gateway', 'budgets', 'rm', id)).stdout).toBe(`Removed ${id}\n`)
  })

  it('of an account are the account’s', async () => {
    api.routes[`POST /v1/accounts/${account_id}/gateway/budgets`] = () => ({ status: 201, body: budget })
    await run('gateway', 'budgets', 'set', '--account', '--cap', '500', '--period', 'month')
    expect(bodyOf('POST')).toEqual({ level: 'account', period: 'month', cap_micros: 500_000_000 })
  })
})

describe('spend', () => {
  it('is a table by its groups, with the sum beside it', async () => {
    const rows = [{ day: '2026-01-31', model: 'acme/great', ...sums }]
    api.routes[`GET ${gateway}/spend`] = () =>
      ok({ since: '2026-01-01', until: '2026-01-31', rows, total: sums })
    const { stdout, stderr } = await run('gateway', 'spend', '--by', 'day,model')
    expect(stdout).toMatch(/^DAY\s+MODEL\s+CALLS\s+IN\s+OUT\s+COST\s+BILLED$/m)
    expect(stdout).toMatch(/^2026-01-31\s+acme\/great\s+3\s+5200\s+880\s+\$0\.0288\s+\$0\.00$/m)
    expect(stderr).toBe('$0.0288 for 3 calls from 2026-01-01 to 2026-01-31; 1 call without a price\n')
    expect(api.calls.at(-1)?.query.get('group_by')).toBe('day,model')
  })

  it('is the API’s own CSV with --csv', async () => {
    api.routes[`GET ${gateway}/spend`] = ({ query }) => ok(`asked ${String(query)}`)
    const { stdout } = await run('gateway', 'spend', '--csv', '--since', '2026-01-01')
    expect(stdout).toContain('format=csv')
    expect(stdout).toContain('since=2026-01-01')
  })
})

describe('logs', () => {
  it('are calls with their cost, and one call is all of it', async () => {
    api.routes[`GET ${gateway}/logs`] = () => ok({ calls: [call], next_cursor: null })
    api.routes[`GET ${gateway}/logs/${id}`] = () => ok({ ...call, price: null })
    const { stdout } = await run('gateway', 'logs', '--session', sessionId)
    expect(stdout).toMatch(/settled\s+acme\/great\s+5200\s+880\s+\$0\.0288\s+ada/)
    expect(api.calls.at(-1)?.query.get('session_id')).toBe(sessionId)
    expect(JSON.parse((await run('gateway', 'logs', id)).stdout)).toMatchObject({ call_id: id, price: null })
  })
})

describe('logs --follow', () => {
  it('prints each call once, when it has ended', async () => {
    let asked = 0
    const runs = { ...call, status: 'streaming', cost_micros: null, expires_at: at }
    api.routes[`GET ${gateway}/logs`] = () => {
      asked += 1
      return ok({ calls: [asked === 1 ? runs : call], next_cursor: null })
    }
    const following = world.cli.start(['gateway', 'logs', '--follow', '--json'], { env: world.env })
    await vi.waitFor(() => expect(asked).toBeGreaterThan(2), { timeout: 180_000, interval: 100 })
    following.child.kill('SIGTERM')
    const { stdout } = await following.result
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([call])
  })
})

describe('the lines of docs/budgets.md', () => {
  it('are commands that are taken as they stand', async () => {
    api.routes[`POST ${gateway}/budgets`] = () => ({ status: 201, body: budget })
    api.routes[`GET ${gateway}/budgets`] = () => ok({ budgets: [budget] })
    api.routes[`GET ${gateway}/logs`] = () => ok({ calls: [call], next_cursor: null })
    api.routes[`GET ${gateway}/spend`] = () => ok({ since: '', until: '', rows: [], total: sums })
    const page = readFileSync(new URL('../../../docs/budgets.md', import.meta.url), 'utf8')
    const lines = (/```sh\n([^`]+)```/.exec(page)?.[1] ?? '').trim().split('\n')
    expect(lines).toHaveLength(5)
    for (const line of lines) {
      const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')
      expect(words[0]).toBe('svc')
      expect(await run(...words.slice(1)), line).toMatchObject({ code: 0 })
    }
    expect(api.calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
      { level: 'trigger', subject: 'nightly', period: 'day', cap_micros: 5_000_000 },
      { level: 'session', period: 'total', cap_micros: 2_000_000, name: 'Each session' },
    ])
  })
})

describe('an operator', () => {
  it('changes a plan and keeps what is left out', async () => {
    const plan = {
      ...{ tier: 'small', entitlements: ['rbac'], session_cap: 7, gateway: 'own_keys', billing: 'none' },
      ...{ monthly_credit_micros: 0, markup_percent: 0 },
    }
    api.routes['GET /v1/admin/plans'] = () => ok({ plans: [plan] })
    api.routes['PUT /v1/admin/plans/small'] = () => ok(plan)
    expect((await run('admin', 'plans', 'ls')).stdout).toMatch(
      /^small\s+7\s+own_keys\s+none\s+\$0\.00\s+0 %\s+rbac/m,
    )
    const change = ['--billing', 'credit', '--monthly-credit', '20', '--entitlements', 'none']
    expect(await run('admin', 'plans', 'set', 'small', ...change)).toMatchObject({ code: 0 })
    expect(bodyOf('PUT')).toEqual({
      ...{ entitlements: [], session_cap: 7, gateway: 'own_keys', billing: 'credit' },
      ...{ monthly_credit_micros: 20_000_000, markup_percent: 0 },
    })
    expect(await run('admin', 'plans', 'set', 'new')).toMatchObject({ code: 2 })
  })

  it('adds credit once by its key', async () => {
    const entry = { kind: 'grant', amount_micros: 50_000_000, balance_after_micros: 62_500_000 }
    api.routes[`POST /v1/admin/accounts/${account_id}/credit`] = () => ({ status: 201, body: entry })
    const args = ['--amount', '50.00', '--reason', 'Order 7', '--key', 'order-7']
    const { stdout } = await run('admin', 'credit', 'add', account_id, ...args)
    expect(stdout).toBe('$50.00 (grant); the balance is $62.50\n')
    expect(bodyOf('POST')).toEqual({
      ...{ amount_micros: 50_000_000, reason: 'Order 7', idempotency_key: 'order-7' },
    })
  })
})
