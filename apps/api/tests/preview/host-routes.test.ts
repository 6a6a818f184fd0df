import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { operations } from '@svc/contract'
import { describe, expect, test } from 'vitest'
import { openPreviews } from './previews.ts'

const { platform, daemon, session, ask, opened, last, socketTo } = await openPreviews()

describe('nothing of the platform answers on a preview host, and no preview on the platform’s own', () => {
  /** Routes that are no operation of the contract. */
  const others = [
    ...['GET /', 'GET /dashboard/', 'GET /dashboard/assets/x', 'GET /v1/docs', 'GET /v1/openapi.json'],
    ...[
      'POST /v1/mcp',
      'POST /v1/executor/mcp',
      'GET /.well-known/oauth-authorization-server',
      'GET /.well-known/oauth-protected-resource',
    ],
    ...[
      'GET /v1/oauth/authorize',
      'GET /v1/oauth/interaction/x',
      'POST /v1/oauth/token',
      'GET /v1/auth/link',
    ],
    ...[
      'GET /scim/v2/Users',
      'POST /v1/webhooks/projects/x/y',
      'GET /v1/p/x/3000/',
      'POST /v1/llm/chat/completions',
    ],
    ...['GET /v1/git/x.git/info/refs?service=git-upload-pack', 'POST /v1/git/x.git/git-receive-pack'],
    ...['GET /healthz', 'GET /metrics', 'OPTIONS /v1/accounts/me'],
  ]
  const routes = [
    ...operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, 'x')}`),
    ...others,
  ]

  test.each(routes)('%s', async (route) => {
    const [method = '', path = ''] = route.split(' ')
    const headers = { authorization: `Bearer ${platform.owner.token}`, accept: 'application/json' }
    const asked = daemon.requests.length
    for (const host of [`${'0'.repeat(32)}.preview.localhost:1`, 'preview.localhost', 'x.preview.localhost'])
      for (const url of [path, `http://127.0.0.1${path}`]) {
        const answer = await ask(host, url, { method, headers })
        expect([401, 404], `${host} ${url} ${answer.text}`).toContain(answer.status)
        expect(answer.headers['access-control-allow-origin']).toBeUndefined()
        if (method !== 'HEAD') expect(answer.text).toMatch(/preview/)
      }
    expect(daemon.requests.length).toBe(asked)
  })

  test.each(routes)('%s of an open preview is its program’s', async (route) => {
    preview ??= await opened()
    const [method = '', path = ''] = route.split(' ')
    const answer = await preview.look(path, {
      method,
      headers: { authorization: `Bearer ${platform.owner.token}` },
    })
    expect(answer.status).toBe(200)
    expect(last()).toMatchObject({ method, url: `/proxy/3000${path}` })
    expect(last().headers.authorization).toBeUndefined()
  })
  let preview: Awaited<ReturnType<typeof opened>> | undefined

  test('upgrades neither', async () => {
    const authorization = `Bearer ${platform.owner.token}`
    const socket = socketTo('preview.localhost', { authorization }, `/v1/p/${session.external_id}/3000/`)
    const [, answer]: [unknown, IncomingMessage] = await once(socket, 'unexpected-response').then(
      ([req, res]) => [req, res],
    )
    expect(answer.statusCode).toBe(404)
  })

  test('the cookie of a preview opens nothing on the platform', async () => {
    const { cookie } = await opened()
    const value = cookie.split('=')[1] ?? ''
    for (const headers of [{ cookie }, { authorization: `Bearer ${value}` }] as Record<string, string>[])
      for (const path of ['/v1/accounts/me', `/v1/p/${session.external_id}/3000/`])
        expect((await ask('127.0.0.1', path, { headers })).status).toBe(401)
  })
})
