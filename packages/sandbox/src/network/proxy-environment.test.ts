import { expect, it } from 'vitest'
import { proxyEnvironment } from './proxy-environment.ts'

it('names the proxy in every spelling, and hosts once that need none', () => {
  const url = 'http://127.0.0.3:3128'
  const direct = 'localhost,127.0.0.1,::1,svc.example.com'
  expect(proxyEnvironment({ host: '127.0.0.3', port: 3128 }, ['127.0.0.1', 'svc.example.com'])).toEqual({
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    NO_PROXY: direct,
    http_proxy: url,
    https_proxy: url,
    no_proxy: direct,
    NODE_USE_ENV_PROXY: '1',
  })
})
