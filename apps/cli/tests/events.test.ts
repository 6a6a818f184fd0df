import { describe, expect, it } from 'vitest'
import { openWorld } from './support/open-world.ts'
import { projectId } from './support/records.ts'
import { ok } from './support/stub-api.ts'

const account_id = '99999999-9999-4999-8999-999999999999'
const subscription_id = '77777777-7777-4777-8777-777777777777'
const delivery_id = '88888888-8888-4888-8888-888888888888'
const inAccount = `/v1/accounts/${account_id}/event-subscriptions`
const inProject = `/v1/projects/${projectId}/event-subscriptions`
const one = `${inAccount}/${subscription_id}`
const { api, run, bodyOf } = await openWorld({
  'GET /v1/accounts/me': () => ok({ account_id, accounts: [] }),
})

const subscription = {
  ...{ subscription_id, account_id, project_id: null, url: 'https://x.test/hook', name: 'Chat' },
  ...{ types: ['cr.*'], header_names: ['Authorization'], ordering: 'none', status: 'disabled' },
  ...{ disabled_reason: 'too_many_failures', disabled_at: null, exhausted_in_a_row: 5 },
  ...{ created_by: null, created_at: '2026-01-02T00:00:00Z', updated_at: '2026-01-02T00:00:00Z' },
}
const delivery = {
  ...{ delivery_id, subscription_id, event_id: 'evt_a', type: 'cr.merged', sequence: 4, replay: 1 },
  ...{
    state: 'failed',
    attempts: 2,
    next_at: '2026-01-02T00:00:00Z',
    last_status: 500,
    last_error: 'refused',
  },
  ...{ created_at: '2026-01-02T00:00:00Z', finished_at: null },
}
const event = {
  ...{
    type: 'cr.merged',
    timestamp: '2026-01-02T00:00:00.000Z',
    id: 'evt_a',
    account_id,
    project_id: projectId,
  },
  ...{ sequence: 4, data: { cr_id: 'c', title: 'Two\nlines', status: 'merged' } },
}

describe('svc events', () => {
  it('lists the types without asking the platform', async () => {
    const listed = await run(['events', 'types'])
    expect(listed.stdout).toMatch(/cr\.merged\s+A change request was merged/)
    const { types } = JSON.parse((await run(['events', 'types', '--json'])).stdout)
    expect(types).toContainEqual({ type: 'ping', text: expect.any(String), data: ['subscription_id'] })
    expect(api.calls).toEqual([])
  })

  it('subscribes, and prints the secret alone on stdout', async () => {
    api.routes[`POST ${inAccount}`] = () => ({ status: 201, body: { ...subscription, secret: 'whsec_x' } })
    const line = ['events', 'subscriptions', 'add', 'https://x.test/hook', '--types', 'cr.*, ping']
    const { code, stdout, stderr } = await run([...line, '--strict', '--header', 'X-Team: a: b'])
    expect([code, stdout]).toEqual([0, 'whsec_x\n'])
    expect(stderr).toContain(subscription_id)
    expect(bodyOf('POST')).toEqual({
      ...{ url: 'https://x.test/hook', types: ['cr.*', 'ping'], ordering: 'strict' },
      headers: { 'X-Team': 'a: b' },
    })
    expect((await run([...line, '--header', 'nonsense'])).code).toBe(2)
  })

  it('takes the project that is named, and the account otherwise', async () => {
    api.routes[`GET ${inProject}`] = () => ok({ subscriptions: [] })
    api.routes[`GET ${inAccount}`] = () => ok({ subscriptions: [subscription] })
    const none = await run(['events', 'subscriptions', 'ls', '--project', projectId])
    expect([none.code, none.stdout]).toEqual([0, ''])
    const all = await run(['events', 'subscriptions', 'ls'])
    expect(all.stdout).toMatch(/https:\/\/x\.test\/hook\s+cr\.\*\s+none\s+disabled \(too many failures\)/)
  })

  it('shows one and how to enable it', async () => {
    api.routes[`GET ${one}`] = () => ok(subscription)
    const { stdout, stderr } = await run(['events', 'subscriptions', 'show', subscription_id])
    expect(stdout).toContain('Headers Authorization')
    expect(stderr).toContain(`svc events subscriptions set ${subscription_id} --enable`)
  })

  it.each([
    [['--enable'], { status: 'enabled' }],
    [['--disable', '--no-strict'], { status: 'disabled', ordering: 'none' }],
    [['--types', '*', '--url', 'https://y.test'], { types: ['*'], url: 'https://y.test' }],
  ])('changes what is named and leaves the rest: %j', async (flags, body) => {
    api.routes[`PATCH ${one}`] = () => ok(subscription)
    expect((await run(['events', 'subscriptions', 'set', subscription_id, ...flags])).code).toBe(0)
    expect(bodyOf('PATCH')).toEqual(body)
  })

  it('rotates, tries, replays and removes', async () => {
    api.routes[`POST ${one}/rotate-secret`] = () => ({
      status: 201,
      body: { secret: 'whsec_y', previous_expires_at: '2026-01-03T00:00:00Z' },
    })
    api.routes[`POST ${one}/ping`] = () => ({ status: 202, body: { event_id: 'evt_p' } })
    api.routes[`POST ${one}/replay`] = () => ({ status: 202, body: { deliveries: 3 } })
    api.routes[`DELETE ${one}`] = () => ({ status: 204 })
    const word = (verb: string, ...flags: string[]) =>
      run(['events', 'subscriptions', verb, subscription_id, ...flags])
    expect((await word('rotate', '--overlap', '60')).stdout).toBe('whsec_y\n')
    expect((await word('ping')).stderr).toContain('evt_p')
    expect((await word('replay', '--since', '2026-01-01')).stderr).toContain('3 on the way')
    expect(api.calls.at(-1)?.body).toEqual({ since: '2026-01-01T00:00:00.000Z' })
    expect((await word('replay')).code).toBe(2)
    expect((await word('replay', '--event', 'a', '--since', '2026-01-01')).code).toBe(2)
    expect((await word('rm')).code).toBe(0)
  })

  it('lists what was sent, and the tries of one', async () => {
    api.routes[`GET ${one}/deliveries`] = () => ok({ deliveries: [delivery], next_cursor: null })
    const tries = [
      { number: 1, at: 'then', status: 500, duration_ms: 7, error: 'refused', answer: 'no\nway' },
    ]
    api.routes[`GET ${one}/deliveries/${delivery_id}`] = () => ok({ ...delivery, tries })
    const listed = await run(['events', 'subscriptions', 'deliveries', subscription_id, '--state', 'failed'])
    expect(listed.stdout).toMatch(/cr\.merged \(replay 1\)\s+failed\s+2\s+500 refused/)
    expect(api.calls.at(-1)?.query.get('state')).toBe('failed')
    const tried = await run(['events', 'subscriptions', 'deliveries', subscription_id, delivery_id])
    expect(tried.stdout).toContain('1 then 500 7 ms no way')
  })

  it('follows from now on, a line each', async () => {
    api.routes[`GET /v1/accounts/${account_id}/events`] = ({ headers, query }, response) => {
      if (!headers.accept?.includes('event-stream')) return ok({ events: [], last_sequence: 3 })
      if (query.get('after') !== '3')
        return { status: 403, body: { error: true, message: 'Enough', status: 403 } }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`retry: 1\n\nid: 4\nevent: cr.merged\ndata: ${JSON.stringify(event)}\n\n`)
      return undefined
    }
    const { code, stdout, stderr } = await run(['events', 'tail', '--types', 'cr.*'])
    expect(stdout).toBe('4 2026-01-02T00:00:00.000Z cr.merged title=Two lines status=merged\n')
    expect([code, stderr]).toEqual([1, expect.stringContaining('Enough')])
    expect(api.calls.at(-1)?.query.get('types')).toBe('cr.*')
    expect(api.calls.at(-1)?.headers['last-event-id']).toBe('4')
  })
})
