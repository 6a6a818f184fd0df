import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'

const { platform, newProject, token } = await openWorld()

async function read(path: string, coding: string, method = 'GET') {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': coding }
  const answer = await platform.api.app.request(path, { method, headers }, { client_address: '198.18.0.1' })
  return { headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) }
}

test('long JSON is compressed as the client takes it, and says what it varies by', async () => {
  const plain = await read('/v1/openapi.json', 'identity')
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(plain.headers.get('vary')).toContain('Accept-Encoding')
  for (const [coding, open] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const answer = await read('/v1/openapi.json', coding)
    expect(answer.headers.get('content-encoding')).toBe(coding)
    expect(answer.body.length).toBeLessThan(plain.body.length / 3)
    expect(open(answer.body).equals(plain.body)).toBe(true)
  }
})

test('what is short, of the sign-in, a write or a stream is sent as it is', async () => {
  await newProject('Short')
  for (const path of ['/v1/projects', '/v1/auth/user', '/v1/auth/sso']) {
    const answer = await read(path, 'br')
    expect(answer.headers.get('content-encoding'), path).toBeNull()
    expect(() => JSON.parse(answer.body.toString()), path).not.toThrow()
  }
  const minted = await platform.call('/v1/accounts/tokens', {
    method: 'POST',
    token,
    json: { name: 'x'.repeat(100) },
    headers: { 'accept-encoding': 'br' },
  })
  expect(minted.pick('token')).toMatch(/^svc_pat_/)
  expect(minted.headers.get('content-encoding')).toBeNull()
})
