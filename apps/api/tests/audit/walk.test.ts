import * as contract from '@svc/contract'
import { beforeAll, expect, test } from 'vitest'
import { validBodies } from '../support/bodies.ts'
import { addPerson } from '../support/credentials.ts'
import { fillIn, type Ids, makeObjects } from '../support/objects.ts'
import { parametersOf, queryOf } from '../support/operations.ts'
import { openWorld } from '../support/world.ts'

type Operation = contract.Operation

/** Of both documents. */
const operations = [...contract.operations, ...contract.adminOperations]
const { platform, account_id } = await openWorld()
let outsider: string
let objects: Ids

beforeAll(async () => {
  objects = await makeObjects(platform, platform.owner, account_id)
  outsider = (await addPerson(platform.parts.db, account_id, 'member')).token
})

const mutating = operations.filter(
  ({ method, access }) =>
    method !== 'GET' && access !== null && !('public' in access) && !('sandbox_key' in access),
)

async function newestSeq(): Promise<number> {
  const rows = await platform.database.db
    .selectFrom('audit_events')
    .select('seq')
    .where('account_id', '=', account_id)
    .orderBy('seq', 'desc')
    .limit(1)
    .execute()
  return rows[0]?.seq ?? 0
}

async function eventsSince(seq: number) {
  return platform.database.db
    .selectFrom('audit_events')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('seq', '>', seq)
    .orderBy('seq')
    .execute()
}

/** Its denials are of no account: their own matters, and the host of no app. */
const anybody = ({ name, access }: Operation) =>
  name === 'enterApp' || (access !== null && 'any_person' in access)

test.each(mutating.filter((one) => !anybody(one)))(
  '$name leaves one event when it is denied',
  async (one) => {
    const { method, path, name, has_body } = one
    const ids = { ...anyIds, account_id, project_id: objects['project_id'] ?? '' }
    const before = await newestSeq()
    const answer = await platform.call(fillIn(path, ids) + queryOf(one), {
      method,
      token: outsider,
      headers: { 'x-request-id': 'denied' },
      ...(has_body ? { json: validBodies[name] ?? {} } : {}),
    })
    expect([403, 404]).toContain(answer.status)
    expect(await eventsSince(before)).toMatchObject([
      { action: name, outcome: 'denied', request_id: 'denied', details: { status: answer.status } },
    ])
  },
)

const some = '7b8f0f06-6b6f-4b1c-8a4e-2f8d8c5f0a11'
const anyIds: Ids = {
  ...Object.fromEntries(operations.flatMap(({ path }) => parametersOf(path)).map((name) => [name, some])),
  name: 'NAME',
  domain: 'acme.example',
  tier: 'small',
}

test('the chain that all of this left is whole, over the API', async () => {
  const { token } = platform.owner
  const verdict = await platform.call(`/v1/accounts/${account_id}/audit/verify`, { token })
  expect(verdict).toMatchObject({ status: 200, body: { valid: true, broken: null } })
  const exported = await platform.call(`/v1/accounts/${account_id}/audit/export?outcome=denied`, { token })
  expect(exported.headers.get('content-type')).toBe('application/x-ndjson')
  const lines = exported.text.trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(20)
  expect(lines.map((line) => Object(JSON.parse(line)).outcome)).toEqual(lines.map(() => 'denied'))
  const page = await platform.call(`/v1/accounts/${account_id}/audit?limit=1&outcome=denied`, { token })
  expect(Object(page.body).events).toHaveLength(1)
  const { next_cursor } = Object(page.body)
  const next = await platform.call(
    `/v1/accounts/${account_id}/audit?limit=1&outcome=denied&cursor=${next_cursor}`,
    { token },
  )
  expect(Object(next.body).events[0].seq).toBeLessThan(Object(page.body).events[0].seq)
})
