import { describe, expect, it } from 'vitest'
import { openWorld } from './support/open-world.ts'
import { me } from './support/records.ts'
import { ok } from './support/stub-api.ts'

const { api, run } = await openWorld()
const { account_id } = me
const at = '2026-01-31T12:00:00.000Z'
const base = '/v1/admin'

describe('admin', () => {
  it('changes accounts, features and machines', async () => {
    const bodies: unknown[] = []
    const account = {
      ...{
        account_id,
        name: 'Acme',
        tier: 'team',
        plan: {
          ...{ tier: 'team', entitlements: [], session_cap: 25, gateway: 'managed', billing: 'credit' },
          ...{ monthly_credit_micros: 0, markup_percent: 0 },
        },
        ...{ billing_state: 'active', balance: 12_500_000, month_cost_micros: 3_250_000 },
        members: 3,
        projects: 2,
        live_sessions: 1,
        created_at: at,
      },
      limits: { live_sessions: 5, projects: null, storage_mb: 100 },
      features: { apps: true, previews: null },
      ...{ suspended_at: at, suspended_reason: 'Unpaid' },
    }
    const feature = { feature: 'apps', summary: 's', available: false, default: false, operator_only: true }
    const answer = (body: object) => (request: { body: unknown }) => {
      if (request.body !== undefined) bodies.push(request.body)
      return ok(body)
    }
    api.routes[`GET ${base}/accounts/${account_id}`] = answer(account)
    api.routes[`PATCH ${base}/accounts/${account_id}`] = answer(account)
    api.routes[`PATCH ${base}/accounts/${account_id}/features`] = answer(account)
    api.routes[`PATCH ${base}/features`] = answer({ features: [feature] })
    api.routes[`POST ${base}/machines/m1/drain`] = answer({ state: 'draining' })
    api.routes[`DELETE ${base}/machines/m1/drain`] = answer({ state: 'open' })
    const said = async (...words: string[]) => {
      const { code, stdout, stderr } = await run(['admin', ...words])
      expect(code, stderr).toBe(0)
      return stdout
    }
    const shown = await said('accounts', 'show', account_id)
    expect(shown).toBe(
      `Acme (${account_id}), plan team\nSuspended since ${at}: Unpaid\n` +
        '3 members, 2 projects, 1/5 live sessions\n$3.25 spent on models this month, $12.50 of credit (active)\nRepositories may hold 100 MB\napps is on\n',
    )
    const set = ['set', account_id, '--tier', 'team', '--live-sessions', '5', '--projects', 'none']
    expect(await said('accounts', ...set)).toBe(shown)
    expect(await said('accounts', 'suspend', account_id, '--reason', 'Unpaid')).toBe(shown)
    expect(await said('accounts', 'resume', account_id)).toBe(shown)
    expect(await said('accounts', 'features', account_id, 'apps=on', 'previews=default')).toBe(
      'apps on\npreviews default\n',
    )
    expect(await said('accounts', 'features', account_id)).toBe('apps on\npreviews default\n')
    expect(await said('features', 'set', 'apps=closed')).toBe('apps: closed\n')
    expect(await said('machines', 'drain', 'm1', '--deadline', '15m')).toBe('m1 is draining\n')
    expect(await said('machines', 'resume', 'm1')).toBe('m1 is open\n')
    expect(bodies.filter((body) => body !== null)).toEqual([
      { tier: 'team', limits: { live_sessions: 5, projects: null } },
      { suspended: true, suspended_reason: 'Unpaid' },
      { suspended: false },
      { apps: true, previews: null },
      { apps: { available: false } },
      { deadline_seconds: 900 },
    ])
    for (const words of [
      ['accounts', 'set', account_id, '--projects', 'many'],
      ['accounts', 'features', account_id, 'apps=maybe'],
      ['features', 'set', 'apps'],
    ])
      expect((await run(['admin', ...words])).code).toBe(2)
  })
})
