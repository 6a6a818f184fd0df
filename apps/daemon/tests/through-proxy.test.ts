import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtDaemon, builtRuntime } from './support/bundle.ts'
import { type ForwardProxy, startForwardProxy } from './support/forward-proxy.ts'
import { makeSandbox, type Sandbox } from './support/sandbox.ts'

const address = '127.41.0.31'
const ends: (() => unknown)[] = []
let sandbox: Sandbox
let proxy: ForwardProxy

beforeAll(async () => {
  const [bundle, pi] = await Promise.all([builtDaemon(), builtRuntime('pi')])
  sandbox = await makeSandbox({ bundle, programs: { pi }, address })
  sandbox.origin.commit('main', { 'svc.yaml': 'svc_version: 2\nruntime: pi\n' })
  sandbox.origin.commit(sandbox.session_id, {}, 'main')
  const at = (url: string) => ({ host: address, port: Number(new URL(url).port) })
  const { origin, platform, model } = sandbox
  proxy = await startForwardProxy(
    address,
    new Map([
      ['git.invalid', at(origin.url)],
      ['platform.invalid', at(platform.apiUrl)],
      ['model.invalid', at(model.baseUrl)],
    ]),
  )
  ends.push(
    () => proxy.close(),
    () => sandbox.close(),
  )
})
afterAll(async () => {
  for (const end of ends) await end()
})

const renamed = (url: string, name: string) => {
  const moved = new URL(url)
  moved.host = name
  return moved.toString()
}

test('the clone, the platform and the model are reached through the proxy that the sandbox is told of', async () => {
  const { model, platform, origin, session_id } = sandbox
  model.on('go', [{ text: 'said' }])
  if (platform.credential) {
    platform.credential = { ...platform.credential, repo_url: renamed(origin.url, 'git.invalid') }
  }
  sandbox.start({
    SVC_RUNTIME: 'pi',
    SVC_REPO_URL: renamed(origin.url, 'git.invalid'),
    SVC_API_URL: renamed(platform.apiUrl, 'platform.invalid'),
    SVC_LLM_BASE_URL: renamed(model.baseUrl, 'model.invalid'),
    HTTP_PROXY: proxy.url,
    http_proxy: proxy.url,
    SVC_INITIAL_PROMPT: 'go',
  })
  expect(await sandbox.turnEnd(session_id)).toMatchObject({ status: 'completed' })
  expect(await sandbox.ready()).toMatchObject({ runtime: { name: 'pi' }, repo: { branch: session_id } })
  expect([...proxy.asked].toSorted()).toEqual(['git.invalid', 'model.invalid', 'platform.invalid'])
  expect(platform.problems).toEqual([])
})
