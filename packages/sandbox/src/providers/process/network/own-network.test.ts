import { expect, it } from 'vitest'
import { networkEnvironment } from './own-network.ts'

it('tells a sandbox of the proxy, and of the addresses where its daemon stands for the platform', () => {
  const environment = {
    SVC_API_URL: 'http://[::1]:7700/v1',
    SVC_LLM_BASE_URL: 'http://127.0.0.9:7701/v1/llm',
    SVC_REPO_URL: 'https://git.example.org/a/b.git',
  }
  expect(networkEnvironment(environment, 7)).toMatchObject({
    SVC_LISTEN_FD: '7',
    SVC_RELAY_DIR: '/run/svc-relay',
    SVC_RELAY_PROXY: '127.0.0.2:3128',
    SVC_RELAY_TARGETS: '[::1]:7700 127.0.0.9:7701',
    https_proxy: 'http://127.0.0.2:3128',
    no_proxy: 'localhost,127.0.0.1,::1,127.0.0.2,127.0.0.9',
  })
})
