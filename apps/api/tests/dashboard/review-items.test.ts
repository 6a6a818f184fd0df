import { expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'

const { platform, ask, newProject, token } = await openWorld()

const itemsOf = (project_id: string) => `/v1/projects/${project_id}/review/items`

test('an item goes through its versions, and each refusal says why', async () => {
  const items = itemsOf(await newProject('Shop'))
  const made = await ask('POST', items, { title: 'The words', summary: '**Shorter**', files: ['svc.yaml'] })
  expect(made.body).toMatchObject({
    ...{ title: 'The words', kind: 'output', risk: 'medium', status: 'needs_you', version: 1 },
    files: [{ path: 'svc.yaml', commit_sha: expect.stringMatching(/^[0-9a-f]{40}$/) }],
    ...{ session_id: null, url: null, options: [], feedback: null },
  })
  const item = `${items}/${made.pick('review_id')}`
  const post = (path: string, json?: unknown) =>
    platform.call(path, { method: 'POST', token, ...(json === undefined ? {} : { json }) })
  const refused = async (path: string, json: unknown, status: number, code: string) => {
    const answer = await post(path, json)
    expect([answer.status, (answer.body as { code: string }).code], answer.text).toEqual([status, code])
    return answer.body as Record<string, unknown>
  }
  await refused(items, { title: 'x', files: ['gone.md'] }, 404, 'not_found')
  await refused(items, { title: ' ' }, 400, 'invalid_request')
  await refused(items, { title: 'x', url: 'http://plain.test' }, 400, 'invalid_request')
  await refused(items, { title: 'x', files: Array.from({ length: 51 }, String) }, 400, 'invalid_request')
  await refused(items, { title: 'x', kind: 'decision' }, 400, 'invalid_request')
  await refused(`${item}/act`, { verdict: 'request_changes', version: 1 }, 400, 'invalid_request')
  await refused(`${item}/resubmit`, {}, 409, 'REVIEW_NOT_OPEN')
  expect(
    (await post(`${item}/act`, { verdict: 'request_changes', version: 1, feedback: 'No' })).body,
  ).toMatchObject({
    status: 'changes_requested',
    feedback: 'No',
  })
  expect((await post(`${item}/resubmit`)).body).toMatchObject({ status: 'needs_you', version: 2 })
  const stale = await refused(`${item}/act`, { verdict: 'approve', version: 1 }, 409, 'REVIEW_STALE')
  expect(stale).toMatchObject({ version: 2, review_status: 'needs_you' })
  const { body: inbox } = await platform.call('/v1/inbox?kind=review', { token })
  expect((inbox as { items: unknown[] }).items).toMatchObject([{ title: 'The words', version: '2' }])
  expect((await post(`${item}/act`, { verdict: 'approve', version: 2 })).body).toMatchObject({
    status: 'approved',
  })
  await refused(`${item}/withdraw`, undefined, 409, 'REVIEW_NOT_OPEN')
  const { body: list } = await platform.call(`${items}?status=approved`, { token })
  expect((list as { items: unknown[] }).items).toHaveLength(1)
})

test('what is safe is approved from the inbox', async () => {
  const items = itemsOf(await newProject('Safe'))
  const made = await ask('POST', items, { title: 'Safe', risk: 'low' })
  const review_id = made.pick('review_id')
  const act = await ask('POST', '/v1/inbox/act', {
    items: [{ item_id: `review:${review_id}`, version: '1', verdict: 'approve' }],
  })
  expect(act.body).toEqual({ results: [{ item_id: `review:${review_id}`, ok: true }] })
  const { body } = await platform.call(`${items}/${review_id}`, { token })
  expect(body).toMatchObject({ status: 'approved', version: 1 })
})
