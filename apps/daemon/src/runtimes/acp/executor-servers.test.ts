import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { executorServers } from './executor-servers.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-path-'))
writeFileSync(join(folder, 'svc'), '')
chmodSync(join(folder, 'svc'), 0o755)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const env = {
  PATH: `/nowhere:${folder}`,
  SVC_API_URL: 'http://127.0.0.1:7700/v1',
  SVC_CONNECTORS: '["tracker"]',
  SVC_EXECUTOR_TOKEN: 'svc_exec_x',
  SVC_CLI_TOKEN: 'svc_cli_x',
  https_proxy: 'http://127.0.0.1:3128',
  MY_SECRET: 'own',
}
const agent = (http: boolean) => ({
  protocolVersion: 1,
  authMethods: [],
  agentCapabilities: { loadSession: false, ...(http && { mcpCapabilities: { http } }) },
})
const stdio = {
  name: 'svc-executor',
  command: join(folder, 'svc'),
  args: ['mcp', 'bridge', 'executor'],
  env: [
    { name: 'PATH', value: env.PATH },
    { name: 'SVC_API_URL', value: env.SVC_API_URL },
    { name: 'SVC_EXECUTOR_TOKEN', value: 'svc_exec_x' },
    { name: 'https_proxy', value: env.https_proxy },
  ],
}

test('an agent that takes a server by HTTP is given its address and its key', () => {
  expect(executorServers({ env, initialized: agent(true), launch: { mcp: ['http'] } })).toEqual([
    {
      type: 'http',
      name: 'svc-executor',
      url: 'http://127.0.0.1:7700/v1/executor/mcp',
      headers: [{ name: 'Authorization', value: 'Bearer svc_exec_x' }],
    },
  ])
})

test('one that does not is given the bridge, with the variables that it needs and no others', () => {
  expect(executorServers({ env, initialized: agent(false), launch: { mcp: ['http'] } })).toEqual([stdio])
})

test('none is given without connectors, without a place for one, or without the program of the bridge', () => {
  const { SVC_CONNECTORS: _, ...without } = env
  expect(executorServers({ env: without, initialized: agent(true), launch: { mcp: ['http'] } })).toEqual([])
  expect(executorServers({ env, initialized: agent(false), launch: { mcp: [] } })).toEqual([])
  const lost = { ...env, PATH: '/nowhere' }
  expect(executorServers({ env: lost, initialized: agent(false), launch: { mcp: ['http'] } })).toEqual([])
})
