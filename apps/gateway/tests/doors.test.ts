import { beforeAll, afterAll, expect, test } from 'vitest'
import { type TestGateway, testGateway } from './support/gateway.ts'

let platform: TestGateway
beforeAll(async () => {
  platform = await testGateway()
})
afterAll(() => platform.close())

/** Each path that the gateway answers, with something for its parameters. */
const pathsOf = (gateway: ReturnType<TestGateway['gateway']>) =>
  gateway.routes
    .filter(({ method, path }) => method !== 'ALL' && !path.includes('*'))
    .map(({ method, path }) => ({
      method,
      path: path.replaceAll(/:\w+(\{[^}]*\})?/g, 'demo:generateContent'),
    }))

test('every path names its request, and refuses who shows no key in one line of the log', async () => {
  const gateway = platform.gateway()
  const paths = pathsOf(gateway)
  expect(paths.length).toBeGreaterThanOrEqual(14)
  for (const { method, path } of paths) {
    const name = `${method} ${path}`
    const answer = await gateway.request(path, { method, ...(method === 'POST' ? { body: '{}' } : {}) })
    expect(answer.status, name).toBe(401)
    expect(answer.headers.get('www-authenticate'), name).toBe('Bearer')
    expect(JSON.stringify(await answer.json()), name).toContain('This needs a gateway key: ')
    const id = answer.headers.get('x-request-id') ?? ''
    const lines = platform.lines.filter((line) => line.includes(`"${id}"`))
    expect(
      lines.map((line): unknown => JSON.parse(line)),
      name,
    ).toMatchObject([
      { request_id: id, status: 401, code: 'unauthorized', msg: 'a model request was refused' },
    ])
  }
})

test('what is no path is refused with those that are', async () => {
  const headers = { authorization: `Bearer ${platform.key}` }
  const answer = await platform.gateway().request('/v1/llm/elsewhere', { headers })
  expect(answer.status).toBe(404)
  expect(await answer.text()).toContain('calls go to /v1/llm/chat/completions')
  expect(answer.headers.get('x-request-id')).not.toBe(null)
})
