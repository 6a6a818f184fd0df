import { type Operation, operations } from '@svc/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson, mint } from './support/credentials.ts'
import { fillIn, type Ids, makeObjects } from './support/objects.ts'
import { validBodies } from './support/operations.ts'
import { type TestPlatform, testPlatform } from './support/platform.ts'

let platform: TestPlatform
let account_id: string
let outsider: string
let objects: Ids

beforeAll(async () => {
  platform = await testPlatform()
  account_id = (await platform.call('/v1/accounts/me', { token: platform.owner.token })).pick('account_id')
  objects = await makeObjects(platform, platform.owner, account_id)
  outsider = (await addPerson(platform.parts.db, account_id, 'member')).token
})
afterAll(() => platform.close())

/** All share one set of objects: what ends an object comes after what works with it. */
const endings = ['closeChangeRequest', 'deleteServiceAccount', 'deleteSession', 'archiveProject']
const rank = ({ name, method }: Operation) => endings.indexOf(name) + (method === 'DELETE' ? 1 : 0)

const mutating = operations
  .filter(
    ({ method, access }) =>
      method !== 'GET' && access !== null && !('public' in access) && !('sandbox_key' in access),
  )
  .sort((a, b) => rank(a) - rank(b))

/** These need a worker, a running sandbox, or something to have happened before; their denials are looked for. */
const deniedOnly = new Set([
  'answerAsk',
  'connectProject',
  'createChangeRequest',
  'createTrigger',
  'deleteTrigger',
  'fireTrigger',
  'mergeChangeRequest',
  'redeliverTrigger',
  'reopenChangeRequest',
  'replayTriggerFire',
  'startSession',
  'updateTrigger',
  'verifyDomain',
  'setAccountSso',
  'acceptInvitation',
  'enrolTotp',
  'confirmTotp',
  'disableTotp',
])

/** One verb writes secrets, whichever route it is reached by. */
const actionOf = (name: string) => (name === 'createSecret' ? 'putSecret' : name)

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

/** What the route is about; somebody else and a token of its own, since those may be gone afterwards. */
async function objectsFor(name: string, path: string): Promise<Ids> {
  const ids = objects
  const { db } = platform.parts
  const { user_id } = platform.owner
  const { project_id = '', service_account_id = '' } = ids
  if (name === 'deleteSecret') {
    await platform.call(`/v1/projects/${project_id}/secrets/NAME`, {
      method: 'PUT',
      token: platform.owner.token,
      json: { value: 'x' },
    })
  }
  if (!path.includes('{user_id}') && !path.includes('{token_id}')) return ids
  const member = await addPerson(db, account_id, 'member')
  const created_at = new Date()
  await db
    .insertInto('project_members')
    .values({ project_id, user_id: member.user_id, role: 'viewer', created_at })
    .execute()
  const token = path.includes('/service-accounts/')
    ? await mint(db, { kind: 'service', user_id: service_account_id, account_id }, 'svc_sa_')
    : path.includes('/gateway-keys/')
      ? await mint(db, { kind: 'gateway', user_id, project_id }, 'svc_gw_')
      : path.includes('/scim-tokens/')
        ? await mint(db, { kind: 'scim', user_id, account_id }, 'svc_scim_')
        : path.includes('/cli-token/')
          ? await mint(db, { kind: 'project', user_id, project_id })
          : await mint(db, { kind: 'user', user_id })
  return { ...ids, user_id: member.user_id, token_id: token.token_id }
}

function send(operation: Operation, ids: Ids, token: string, request_id: string) {
  const { method, path, name, has_body } = operation
  const headers = { 'x-request-id': request_id }
  return platform.call(fillIn(path, ids), {
    method,
    token,
    headers,
    ...(has_body ? { json: bodyFor(name) } : {}),
  })
}

/** Names are taken once. */
function bodyFor(name: string): Record<string, unknown> {
  const body = { ...validBodies[name] }
  if ('name' in body && /Role$/.test(name)) body['name'] = `${name} of its own`
  return body
}

const anybody = ({ access }: Operation) => access !== null && 'any_person' in access

describe.each(mutating.filter((one) => !anybody(one) || !deniedOnly.has(one.name)))('$name', (operation) => {
  if (!deniedOnly.has(operation.name))
    test('leaves one event when it is done', async () => {
      const ids = await objectsFor(operation.name, operation.path)
      const before = await newestSeq()
      const answer = await send(operation, ids, platform.owner.token, 'done')
      expect(answer.status, answer.text).toBeLessThan(300)
      const events = await eventsSince(before)
      expect(events).toHaveLength(1)
      expect(events[0]).toMatchObject({
        action: actionOf(operation.name),
        outcome: 'success',
        actor_type: 'user',
        actor_id: platform.owner.user_id,
        request_id: 'done',
      })
    })

  if (!anybody(operation))
    test('leaves one event when it is denied', async () => {
      const ids = { ...anyIds, account_id, project_id: objects['project_id'] ?? '' }
      const before = await newestSeq()
      const answer = await send(operation, ids, outsider, 'denied')
      expect([403, 404]).toContain(answer.status)
      expect(await eventsSince(before)).toMatchObject([
        {
          action: operation.name,
          outcome: 'denied',
          request_id: 'denied',
          details: { status: answer.status },
        },
      ])
    })
})

const some = '7b8f0f06-6b6f-4b1c-8a4e-2f8d8c5f0a11'
const anyIds: Ids = {
  name: 'NAME',
  domain: 'acme.example',
  ...Object.fromEntries(
    [
      ...['session_id', 'prompt_id', 'request_id', 'cr_id', 'token_id', 'receipt_id', 'fire_id', 'user_id'],
      ...['service_account_id', 'invitation_id', 'role_id', 'group_id', 'slug', 'client_id'],
    ].map((name) => [name, some]),
  ),
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
  const page = await platform.call(`/v1/accounts/${account_id}/audit?limit=1&action=createRole`, { token })
  expect(Object(page.body).events).toHaveLength(1)
  const { next_cursor } = Object(page.body)
  const next = await platform.call(
    `/v1/accounts/${account_id}/audit?limit=1&action=createRole&cursor=${next_cursor}`,
    { token },
  )
  expect(Object(next.body).events[0].seq).toBeLessThan(Object(page.body).events[0].seq)
})
