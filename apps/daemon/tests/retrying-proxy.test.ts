import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openRetryingProxy } from '../src/network/retrying-proxy.ts'
import { type GitOrigin, startGitOrigin } from './support/git-origin.ts'

const run = promisify(execFile)
const address = '127.41.0.40'
let folder: string
let origin: GitOrigin

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-proxy-'))
  mkdirSync(join(folder, 'home'))
  origin = await startGitOrigin(address, folder, 'right')
})
afterEach(async () => {
  await origin.close()
  rmSync(folder, { recursive: true, force: true })
})

const env = (api_url: string) => ({
  api_url,
  api_wait_ms: 30_000,
  repo_url: `${api_url}/git/x.git`,
  relay: null,
  runtime: { host: address, port: 4096 },
  inherited: {},
})

test('git waits at the proxy for a platform that starts anew', async () => {
  origin.commit('main', { a: '1' })
  const { port: backend } = new URL(origin.url)
  // The platform's port: no server is there at first.
  const platform = createServer((socket) => {
    const upstream = connect({ host: address, port: Number(backend) })
    socket
      .on('error', () => upstream.destroy())
      .pipe(upstream)
      .pipe(socket)
    upstream.on('error', () => socket.destroy())
  })
  platform.listen(0, address)
  await once(platform, 'listening')
  const at = platform.address()
  const port = typeof at === 'object' ? at?.port : 0
  platform.close()
  await once(platform, 'close')

  const proxy = await openRetryingProxy(env(`http://${address}:${port}`))
  if (!proxy) throw new Error('no proxy')
  const basic = Buffer.from('x-access-token:right').toString('base64')
  const path = new URL(origin.url).pathname
  const listed = run('git', [
    ...['-c', `http.proxy=${proxy.url}`, '-c', `http.extraHeader=Authorization: Basic ${basic}`],
    ...['ls-remote', `http://${address}:${port}${path}`, 'main'],
  ])
  setTimeout(() => platform.listen(port, address), 600)
  expect((await listed).stdout).toContain('refs/heads/main')
  proxy.close()
  platform.close()
})

test('there is no proxy where a relay stands between, nor to a repository elsewhere', async () => {
  const here = env('http://127.0.0.1:1/v1')
  expect(await openRetryingProxy({ ...here, repo_url: 'https://git.example/x.git' })).toBeNull()
  const relay = { folder, sandbox_id: 'x', proxy: '127.0.0.2:3128', targets: [], wait_ms: 30_000 }
  expect(await openRetryingProxy({ ...here, relay })).toBeNull()
  expect(await openRetryingProxy({ ...here, inherited: { HTTPS_PROXY: 'http://proxy' } })).toBeNull()
})
