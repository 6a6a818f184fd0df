import { expect, test } from 'vitest'
import { createApi } from '../../src/index.ts'
import { openWorld } from '../support/world.ts'

const { platform } = await openWorld()

test('health names the build', async () => {
  expect(await platform.call('/v1/health')).toMatchObject({
    status: 200,
    body: { status: 'ok', version: '1.2.3', commit: 'abc' },
  })
  expect(await platform.call('/healthz')).toMatchObject({ status: 200 })
  expect(await platform.call('/readyz')).toMatchObject({ status: 200 })
})

test('the OpenAPI document is 3.1 and names the origin that was called', async () => {
  const response = await platform.api.app.request('http://api.example:8080/v1/openapi.json')
  const document: unknown = await response.json()
  expect(document).toMatchObject({
    openapi: '3.1.0',
    info: { version: '1.2.3' },
    servers: [{ url: 'http://api.example:8080' }],
    components: {
      securitySchemes: { personalToken: { type: 'http', scheme: 'bearer' }, sandboxKey: { type: 'http' } },
    },
    paths: {
      '/v1/projects/{project_id}/change-requests/{cr_id}/merge': {
        post: { operationId: 'mergeChangeRequest' },
      },
    },
  })
})

test('forwarded headers count only when the operator says so', async () => {
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'public.example' }
  expect(await platform.call('/v1/openapi.json', { headers })).toMatchObject({
    body: { servers: [{ url: 'http://localhost' }] },
  })
  const behind = createApi({ ...platform.parts, trust_proxy: true })
  const document: unknown = await (await behind.app.request('/v1/openapi.json', { headers })).json()
  expect(document).toMatchObject({ servers: [{ url: 'https://public.example' }] })
})

test('the reference loads everything from here', async () => {
  const page = await platform.call('/v1/docs')
  expect(page).toMatchObject({ status: 200 })
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  const links = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '')
  expect(links.length).toBeGreaterThan(3)
  for (const link of links) {
    expect(link).toMatch(/^\/v1\/docs\//)
    expect((await platform.api.app.request(link)).status, link).toBe(200)
  }
})

test('the operator may turn both off', async () => {
  const api = createApi({ ...platform.parts, public_docs: false })
  for (const path of ['/v1/openapi.json', '/v1/docs', '/v1/docs/start.js'])
    expect((await api.app.request(path)).status).toBe(404)
  expect(await (await api.app.request('/')).text()).not.toContain('/v1/docs')
})

test('the first page says what this is', async () => {
  const page = await platform.call('/')
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(page.text).toContain('/v1/docs')
  expect(page.text).toContain('svc login')
})

test('the manifest schema is public', async () => {
  expect(await platform.call('/v1/schemas/svc.v2.json')).toMatchObject({
    status: 200,
    body: { type: 'object' },
  })
})
