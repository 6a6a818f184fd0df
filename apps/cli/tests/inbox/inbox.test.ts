import { inboxKinds } from '@svc/facts'
import { describe, expect, it } from 'vitest'
import { openWorld } from '../support/open-world.ts'
import { projectId } from '../support/records.ts'
import { ok } from '../support/stub-api.ts'

const { api, run } = await openWorld()
const none = Object.fromEntries(inboxKinds.map((kind) => [kind, 0]))
const item = (more: object = {}) => ({
  ...{ item_id: 'review:a', version: '1', kind: 'review', project_id: projectId, project_name: 'Shop' },
  ...{ session_id: null, cr_number: null, request_id: null, slug: null, fire_id: null, risk: 'low' },
  ...{ title: 'The words', phrase: 'Look at \u001b[2Jit', safe: true, at: '2026-11-22T09:30:00.000Z' },
  ...{ expires_at: null, path: '/reviews/a', verdicts: ['dismiss'], count: null },
  ...more,
})
const page = (...items: object[]) =>
  ok({ items, counts: { total: 9, ...none, review: 3 }, next_cursor: null })
const counted = {
  total: 1_003,
  by_kind: { ...none, review: 3, approval: 1_000 },
  as_of: '2026-11-22T09:30:00Z',
}

describe('svc inbox', () => {
  it('lists what waits, of one kind as well, and says how much more there is', async () => {
    api.routes['GET /v1/inbox'] = () => page(item())
    const all = await run(['inbox'])
    expect(all.stdout).toMatch(/review\s+Shop\s+The words\s+Look at/)
    expect(all.stdout).not.toContain('\u001b')
    expect(all.stderr).toContain('8 more wait.')
    const reviews = await run(['inbox', '--kind', 'review'])
    expect(api.calls.at(-1)?.query.get('kind')).toBe('review')
    expect(reviews.stderr).toContain('2 more wait.')
    expect((await run(['inbox', '--kind', 'news'])).code).toBe(2)
  })

  it('counts, and says where the platform counts no further', async () => {
    api.routes['GET /v1/inbox/count'] = () => ok(counted)
    expect((await run(['inbox', '--count'])).stdout).toBe('1003+\n')
    expect((await run(['inbox', '--count', '--kind', 'review'])).stdout).toBe('3\n')
    expect((await run(['inbox', '--count', '--kind', 'approval'])).stdout).toBe('1000+\n')
    expect(JSON.parse((await run(['inbox', '--count', '--json'])).stdout)).toEqual(counted)
    expect((await run(['inbox', '--count', '--watch'])).code).toBe(2)
  })

  it('watches: each version of an item is a line, once', async () => {
    const pages = [[item()], [item(), item({ item_id: 'review:b' })], [item({ version: '2' })]]
    api.routes['GET /v1/inbox'] = () => page(...(pages.shift() ?? []))
    let streams = 0
    api.routes['GET /v1/changes'] = (_, response) => {
      streams += 1
      if (streams > 1) return { status: 401, body: { error: { code: 'unauthorized', message: 'Over' } } }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const changed = { type: 'changed', kind: 'review', project_id: projectId, id: 'a' }
      const frames = [{ type: 'hello' }, changed, changed].map((one) => `data: ${JSON.stringify(one)}\n\n`)
      response.end(frames.join(''))
      return undefined
    }
    const { stdout } = await run(['inbox', '--watch', '--kind', 'review', '--json'])
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ item_id, version }) => `${item_id} ${version}`)).toEqual([
      'review:a 1',
      'review:b 1',
      'review:a 2',
    ])
  })
})
