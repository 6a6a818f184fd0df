import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { homeRoutes } from '../docs/routes.ts'
import { dashboardRoutes } from './routes.ts'

let folder: string
const get = (path: string, headers: Record<string, string> = {}) =>
  dashboardRoutes({ dashboard_dir: folder }).request(path, { headers })

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-dashboard-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>pages</title>')
  writeFileSync(join(folder, 'assets/index-abc.js'), 'let a')
  writeFileSync(join(folder, 'assets/index-abc.js.br'), 'as brotli')
  writeFileSync(join(folder, 'assets/index-abc.js.gz'), 'as gzip')
  writeFileSync(join(folder, 'assets/notes.txt'), 'not for browsers')
  writeFileSync(join(folder, 'secret.js'), 'beside the assets')
})
afterAll(() => rmSync(folder, { recursive: true }))

test.each(['/dashboard/', '/dashboard/projects/1/triggers', '/dashboard/a.b'])(
  '%s is the page',
  async (path) => {
    const response = await get(path)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('<title>pages</title>')
    const policy = response.headers.get('content-security-policy')
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/)
    expect(policy).not.toContain('unsafe')
    // No page of another site can frame it to trick a person into a click, and none learns its address.
    expect(policy).toContain("frame-ancestors 'none'")
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  },
)

test('the page is asked for again each time, and is 304 while it is the same', async () => {
  const first = await get('/dashboard/')
  expect(first.headers.get('cache-control')).toBe('no-cache')
  const etag = first.headers.get('etag') ?? ''
  const again = await get('/dashboard/sessions', { 'if-none-match': etag })
  expect(again.status).toBe(304)
  expect(again.headers.get('content-security-policy')).toContain("worker-src 'self'")
})

test.each([
  ['gzip, deflate, br', 'br', 'as brotli'],
  ['gzip', 'gzip', 'as gzip'],
  ['identity', null, 'let a'],
])('%s takes the file that the build wrote as %s', async (accepted, coding, text) => {
  const answer = await get('/dashboard/assets/index-abc.js', { 'accept-encoding': accepted })
  expect(answer.headers.get('content-encoding')).toBe(coding)
  expect(answer.headers.get('vary')).toBe('Accept-Encoding')
  expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(await answer.text()).toBe(text)
})

test('it frames previews, where the platform has them, and nothing else', async () => {
  const previews = { scheme: 'http', host: 'preview.localhost:1', name: 'preview.localhost' } as const
  const framing = await dashboardRoutes({ dashboard_dir: folder }, previews).request('/dashboard/')
  expect(framing.headers.get('content-security-policy')).toContain(
    '; frame-src http://*.preview.localhost:1;',
  )
  expect((await get('/dashboard/')).headers.get('content-security-policy')).not.toContain('frame-src')
})

test('its files are kept for good, since another content has another name', async () => {
  const response = await get('/dashboard/assets/index-abc.js')
  expect(await response.text()).toBe('let a')
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(response.headers.get('cache-control')).toContain('immutable')
})

test.each(['index-old.js', 'index-abc.js.br', 'notes.txt', '..%2Fsecret.js', '%2e%2e%2fsecret.js'])(
  '%s is none of them',
  async (name) => {
    expect((await get(`/dashboard/assets/${name}`)).status).toBe(404)
  },
)

test('the address without its slash leads there', async () => {
  expect((await get('/dashboard')).headers.get('location')).toBe('/dashboard/')
})

test.each([undefined, '/nonexistent'])(
  'where it is not built (%s) there is nothing, and no link',
  async (none) => {
    const parts = none === undefined ? {} : { dashboard_dir: none }
    expect((await dashboardRoutes(parts).request('/dashboard/')).status).toBe(404)
    const home = async (given: object) =>
      (await homeRoutes({ public_docs: true, ...given }).request('/')).text()
    expect(await home(parts)).not.toContain('/dashboard/')
    expect(await home({ dashboard_dir: folder })).toContain('href="/dashboard/"')
  },
)
