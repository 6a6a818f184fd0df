import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtDaemon } from './support/bundle.ts'
import { type GitOrigin, startGitOrigin } from './support/git-origin.ts'
import { type FakePlatform, startFakePlatform } from './support/platform.ts'
import { waitFor } from './support/wait-for.ts'

const address = '127.41.0.9'
const base = `http://${address}:8000`
const key = 'svc_sbx_the-key-of-the-pool'
const service_key = 'svc_sbx_the-key-of-the-session'
const session_id = randomUUID()
let folder: string
let bundle: string
let origin: GitOrigin
let platform: FakePlatform
let daemon: ChildProcess
const output: string[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-warm-'))
  mkdirSync(join(folder, 'home'))
  bundle = await builtDaemon()
  origin = await startGitOrigin(address, folder, 'git-secret-token')
  origin.commit('main', { 'README.md': 'hello\n' })
  origin.commit(session_id, {}, 'main')
  platform = await startFakePlatform(address, service_key, folder)
  platform.credential = {
    repo_url: origin.url,
    auth: { username: 'x-access-token', token: 'git-secret-token', type: 'basic' },
    source: 'managed',
    expires_at: null,
  }
  start()
})
afterAll(async () => {
  await end()
  await Promise.all([platform.close(), origin.close()])
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

function start(more: Record<string, string> = {}): void {
  daemon = spawn(process.execPath, [bundle], {
    env: {
      PATH: process.env['PATH'],
      HOME: join(folder, 'home'),
      SVC_WORKSPACE: join(folder, 'workspace'),
      SVC_SANDBOX_ADDRESS: address,
      SVC_API_URL: platform.apiUrl,
      SVC_WARM_KEY: key,
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [daemon.stdout, daemon.stderr])
    stream?.on('data', (chunk: Buffer) => output.push(chunk.toString('utf8')))
}
async function end(): Promise<number | null> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return daemon.exitCode
  const exited = once(daemon, 'exit')
  daemon.kill('SIGTERM')
  await exited
  return daemon.exitCode
}
async function ask(path: string, init: { body?: unknown; key?: string } = {}) {
  const headers = { connection: 'close', ...(init.key ? { authorization: `Bearer ${init.key}` } : {}) }
  const body = init.body === undefined ? {} : { method: 'POST', body: JSON.stringify(init.body) }
  const answer = await fetch(`${base}${path}`, { headers, ...body })
  return { status: answer.status, body: JSON.parse(await answer.text()) }
}
const waits = () =>
  waitFor(`a daemon that waits; it said ${output.join('')}`, async () => {
    const health = await ask('/svc/health').catch(() => null)
    return health?.body.status === 'warm'
  })
const environment = {
  SVC_PROJECT_ID: randomUUID(),
  SVC_SESSION_ID: session_id,
  SVC_BRANCH_NAME: session_id,
  SVC_API_URL: '',
  SVC_REPO_URL: '',
  SVC_AGENT_NAME: 'coder',
  SVC_PROJECT_AUTO_CLONE: '1',
  SVC_SESSION_IS_NEW: '1',
  SVC_SANDBOX_TOKEN: service_key,
  SVC_TOKEN: service_key,
  SVC_PROJECT_SECRET_NAMES: 'PROJECT_SECRET',
  PROJECT_SECRET: 'project-secret-value',
}
const claim = (given: Record<string, string>, with_key = key) =>
  ask('/svc/claim', { body: { environment: given }, key: with_key })

test('while it waits it does nothing, and takes a session with its own key alone', async () => {
  await waits()
  expect((await ask('/svc/runtime/state', { key })).status).toBe(503)
  expect((await ask('/svc/env', { body: { set: { A: 'b' } }, key })).status).toBe(503)
  expect((await claim(environment, 'another')).status).toBe(401)
  expect((await ask('/svc/claim', { body: { environment } })).status).toBe(401)
  expect((await ask('/svc/claim', { body: { environment: { A: 1 } }, key })).status).toBe(400)
  expect((await ask('/svc/health')).body).toMatchObject({ status: 'warm', repo: { state: 'waiting' } })
  expect(existsSync(join(folder, 'workspace', '.git'))).toBe(false)
  expect(platform.reports).toEqual([])
})

test('one of two claims at once gets it; the session is there then, and the key of the pool is nothing', async () => {
  const given = { ...environment, SVC_API_URL: platform.apiUrl, SVC_REPO_URL: origin.url, PATH: '/nowhere' }
  const answers = await Promise.all([claim(given), claim({ ...given, SVC_SESSION_ID: randomUUID() })])
  expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
  // The first of them names the session; the branch is the same.
  const health = await waitFor('the clone', async () => {
    const { body } = await ask('/svc/health?wait_ms=1000')
    return body.repo.state === 'ready' ? body : null
  })
  expect(health.repo).toMatchObject({ branch: session_id, commit: origin.git('rev-parse', session_id) })
  expect((await claim(given)).status).toBe(401)
  expect((await ask('/svc/runtime/state', { key })).status).toBe(401)
  const state = await ask('/svc/runtime/state', { key: service_key })
  expect(state.status).toBe(200)
  expect(platform.problems).toEqual([])
  const said = output.join('')
  for (const secret of [key, service_key, 'project-secret-value', 'git-secret-token'])
    expect(said).not.toContain(secret)
})

test('one that nobody comes for ends by itself, and one that is told to ends at once', async () => {
  await end()
  start({ SVC_WARM_SECONDS: '1' })
  const [code] = await once(daemon, 'exit')
  expect(code).toBe(0)
  start()
  await waits()
  expect(await end()).toBe(0)
})
