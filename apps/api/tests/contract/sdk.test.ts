import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import * as sdk from '@svc/sdk'
import { build } from 'esbuild'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { skipsChromium, startChromium, watchedPage } from '../support/chromium.ts'
import { type Place, sdkScenario } from '../support/sdk-scenario.ts'
import { openWorld } from '../support/world.ts'

const { platform, api } = await openWorld()

const placeOf = (name: string): Place => ({
  api_url: `${api.origin}/v1`,
  token: platform.owner.token,
  name,
})

function expectScenario(seen: Awaited<ReturnType<typeof sdkScenario>>, name: string): void {
  const refused = (code: string, status: number, issues: string[] = []) => ({
    code,
    status,
    request_id: expect.stringMatching(/^[A-Za-z0-9._-]+$/),
    issues,
  })
  expect(seen).toEqual({
    health: 'ok',
    email: expect.stringContaining('@'),
    answered: `scenario-${name}`,
    project: { same: true, name: `${name} 2`, secret: 'API_KEY' },
    sessions: { same: true, names: ['second', 'first'] },
    stream: { whole: true, events: seen.stream.events, connections: seen.stream.events },
    missing: refused('not_found', 404),
    invalid: refused('invalid_request', 400, ['labels[0]']),
    unauthorized: refused('unauthorized', 401),
    aborted: { code: 'Error: enough', status: 0, request_id: null, issues: [] },
    deleted: 404,
    secret_told: false,
  })
  expect(seen.stream.events).toBeGreaterThan(1)
}

test('in Node', async () => {
  expectScenario(await sdkScenario(sdk, placeOf('node')), 'node')
})

test('the examples of the guide run, one after another', async () => {
  const guide = await readFile(new URL('../../../../docs/sdk.md', import.meta.url), 'utf8')
  const blocks = [...guide.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = '']) => code)
  const contents = blocks.join('\n')
  const stdin = { contents, resolveDir: import.meta.dirname, loader: 'ts' as const }
  const { outputFiles } = await build({ stdin, bundle: true, format: 'esm', platform: 'node', write: false })
  const { api_url, token } = placeOf('guide')
  const child = execFile(process.execPath, ['--input-type=module', '-'], {
    env: { PATH: process.env.PATH, SVC_API_URL: api_url, SVC_CLI_TOKEN: token },
  })
  child.stdin?.end(outputFiles[0]?.text)
  let [said, complained] = ['', '']
  child.stdout?.on('data', (chunk: string) => (said += chunk))
  child.stderr?.on('data', (chunk: string) => (complained += chunk))
  const [status]: unknown[] = await once(child, 'close')
  expect({ status, complained }).toEqual({ status: 0, complained: '' })
  const lines = said.trim().split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^signed in as .+@/),
      expect.stringMatching(/^session (queued|branching|provisioning)$/),
      'event prompt',
      '1 on the first page',
      'labelled docs',
      'nothing to merge yet',
      'GET 200 nightly-42',
    ]),
  )
})

test('every answer may be read by pages of every origin, and cookies play no part', async () => {
  const asked = await fetch(`${api.origin}/v1/projects`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.test',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  })
  expect(asked.status).toBe(204)
  expect(asked.headers.get('access-control-allow-headers')).toContain('authorization')
  expect(asked.headers.get('access-control-allow-methods')).toContain('DELETE')
  for (const path of ['/v1/health', '/v1/projects', '/v1/nothing', '/v1/openapi.json']) {
    const { headers } = await fetch(`${api.origin}${path}`, { headers: { origin: 'https://app.test' } })
    expect(headers.get('access-control-allow-origin'), path).toBe('*')
    expect(headers.get('access-control-allow-credentials'), path).toBeNull()
    expect(headers.get('access-control-expose-headers'), path).toContain('X-Request-Id')
  }
  const page = await fetch(`${api.origin}/`, { headers: { origin: 'https://app.test' } })
  expect(page.headers.get('access-control-allow-origin')).toBeNull()
})

describe.skipIf(skipsChromium)('in a browser', () => {
  let browser: Browser
  let site: Server

  beforeAll(async () => {
    browser = await startChromium()
    site = await serveSite()
  })
  afterAll(async () => {
    await browser?.close()
    site?.close()
  })

  test('on a page of another origin', async () => {
    const address = site.address()
    if (address === null || typeof address === 'string') throw new Error('the site has no port')
    const { page, complaints } = await watchedPage(browser)
    await page.goto(`http://127.0.0.1:${address.port}/`)
    const call = `import('/sdk.js').then((sdk) => (${sdkScenario.toString()})(sdk, ${JSON.stringify(placeOf('browser'))}))`
    expectScenario(Object(await page.evaluate(call)), 'browser')
    // The browser writes every refusal to its console.
    expect(complaints.filter((text) => !/status of 40[014]|net::ERR_ABORTED/.test(text))).toEqual([])
  })
})

/** A page of another site, with the SDK as browsers get it. */
async function serveSite(): Promise<Server> {
  const { outputFiles } = await build({
    stdin: { contents: "export * from '@svc/sdk'", resolveDir: import.meta.dirname },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
  })
  const server = createServer((request, response) => {
    const script = request.url === '/sdk.js'
    response.writeHead(200, { 'content-type': script ? 'text/javascript' : 'text/html' })
    response.end(
      script ? outputFiles[0]?.text : '<!doctype html><link rel="icon" href="data:,"><title>App</title>',
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}
