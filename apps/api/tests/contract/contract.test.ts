import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { validBodies } from '../support/bodies.ts'
import { fill, type Operation, operations, queryOf } from '../support/operations.ts'
import type { Caller } from '../support/platform.ts'
import { openWorld } from '../support/world.ts'

const { platform, ask, newProject } = await openWorld()
let project_id: string
let stranger: Caller
let project_token: string

beforeAll(async () => {
  stranger = await platform.stranger()
  project_id = await newProject('mine')
  const other = await newProject('other')
  project_token = (await ask('POST', `/v1/projects/${other}/cli-token`, {})).pick('token')
})

function send(operation: Operation, path: string, token?: string) {
  const body = operation.has_body ? { json: validBodies[operation.name] ?? {} } : {}
  return platform.call(path + queryOf(operation), {
    method: operation.method,
    ...(token === undefined ? {} : { token }),
    ...body,
  })
}

/** The sign-in has a shape of its own. */
function refused({ path }: Operation, status: number, code: string) {
  const body = path.startsWith('/v1/auth/') ? { error: code } : { error: true, status, code }
  return { status, body }
}

test('the contract has operations', () => expect(operations.length).toBeGreaterThan(35))

describe('a slash at the end', () => {
  test.each(operations)('is none of the path: $method $path/', async (operation) => {
    const token = stranger.token
    const path = `${fill(operation.path, randomUUID(), randomUUID())}/`
    const answer = await platform.call(path, {
      method: operation.method,
      ...(operation.path === '/v1/auth/sign-out' ? {} : { token }),
      ...(operation.has_body ? { json: validBodies[operation.name] ?? {} } : {}),
    })
    expect(JSON.stringify(answer.body ?? null)).not.toContain('There is nothing at this path')
    expect([301, 302, 307, 308, 405]).not.toContain(answer.status)
  })

  test('of a list is answered as without, and a write is written', async () => {
    const { token } = platform.owner
    for (const path of ['/v1/projects', `/v1/projects/${project_id}/change-requests`]) {
      const [plain, slash] = [
        await platform.call(path, { token }),
        await platform.call(`${path}/`, { token }),
      ]
      expect(slash).toMatchObject({ status: 200, body: plain.body })
    }
    const json = { title: 'x', head_ref: 'none' }
    const opened = await platform.call(`/v1/projects/${project_id}/change-requests/`, {
      method: 'POST',
      token,
      json,
    })
    expect(opened).toMatchObject({ body: { code: expect.stringMatching(/^CR_/) } })
  })

  test('never makes the delete of a member that of its collection', () => {
    const deleted = operations.filter(({ method }) => method === 'DELETE').map(({ path }) => path)
    const wholes = deleted.filter((path) => deleted.some((one) => one.startsWith(`${path}/{`)))
    expect(wholes).toEqual([])
  })
})

/** Open to a token of one project too: each answers for that project alone. */
const forProjectTokens = new Set([
  'listHarnesses',
  'listProjects',
  'openBrowserSession',
  'endOwnBrowserSession',
])

describe.each(operations)('$method $path', (operation) => {
  const withProject = operation.path.includes('{project_id}')
  const withOwnId = /\{(session_id|cr_id|token_id)\}/.test(operation.path)

  test('without a token is 401', async () => {
    const answer = await send(operation, fill(operation.path, project_id, randomUUID()))
    expect(answer).toMatchObject(refused(operation, 401, 'unauthorized'))
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    expect(answer.headers.get('x-request-id')).toBeTruthy()
  })

  if (withProject)
    test('with a foreign person’s token is 403 or 404', async () => {
      const answer = await send(operation, fill(operation.path, project_id, randomUUID()), stranger.token)
      expect([403, 404]).toContain(answer.status)
      expect(answer.body).toMatchObject({ error: true, status: answer.status })
    })

  if (withProject)
    test('with another project’s token is 403', async () => {
      const answer = await send(operation, fill(operation.path, project_id, randomUUID()), project_token)
      expect(answer).toMatchObject({ status: 403 })
    })

  if (!withProject && !forProjectTokens.has(operation.name))
    test('with a project’s token is refused', async () => {
      const answer = await send(operation, fill(operation.path, project_id, randomUUID()), project_token)
      expect([403, 404]).toContain(answer.status)
    })

  if (withProject)
    test('with a malformed project id is 400', async () => {
      const answer = await send(
        operation,
        fill(operation.path, 'no-uuid', randomUUID()),
        platform.owner.token,
      )
      expect(answer).toMatchObject({
        status: 400,
        body: { error: true, status: 400, code: 'invalid_request' },
      })
      expect(answer.body).toHaveProperty('issues[0].path', 'project_id')
    })

  if (withOwnId)
    test('with a malformed id of its own is 400', async () => {
      const answer = await send(operation, fill(operation.path, project_id, 'no-uuid'), platform.owner.token)
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    })

  if (withOwnId)
    test('of something that is not there is 404', async () => {
      const answer = await send(
        operation,
        fill(operation.path, project_id, randomUUID()),
        platform.owner.token,
      )
      expect(answer).toMatchObject({ status: 404, body: { error: true, code: 'not_found' } })
    })

  if (operation.has_body)
    test('with a body that is not JSON is 400 or 415', async () => {
      const path = fill(operation.path, project_id, randomUUID())
      const options = { method: operation.method, token: platform.owner.token }
      const malformed = await platform.call(path, {
        ...options,
        body: '{',
        headers: { 'content-type': 'application/json' },
      })
      expect(malformed).toMatchObject(refused(operation, 400, 'malformed_json'))
      const typed = await platform.call(path, {
        ...options,
        body: 'a=b',
        headers: { 'content-type': 'text/plain' },
      })
      expect(typed).toMatchObject(refused(operation, 415, 'unsupported_media_type'))
    })
})
