import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createLogger } from '@svc/boot'
import { trustedProxies } from '@svc/platform/env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readEnv } from '../src/env.ts'
import { serveVisits } from '../src/serve-visits.ts'

const log = createLogger({ name: 'app-proxy', level: 'fatal' })
/** An app that says which address it was given. */
let app: Server

beforeAll(async () => {
  app = createServer((request, response) => response.end(request.headers['x-forwarded-for']))
  app.listen(0, '127.0.0.1')
  await once(app, 'listening')
})
afterAll(() => app.close())

/** The address that an app and the proxy's own pages are given of a visitor with this header. */
async function seen(proxies: readonly string[], forwarded: string): Promise<[app: string, own: string]> {
  const url = `http://127.0.0.1:${Object(app.address()).port}`
  let own = ''
  const proxy = await serveVisits(
    {
      log,
      is_proxy: trustedProxies(proxies),
      find: async () => ({ kind: 'instance', instance: { instance_id: 'one', url } }),
      answerOwn: async (_request, _response, { address }) => {
        own = address
        return false
      },
    },
    { host: '127.0.0.1', port: 0 },
  )
  const headers = { 'x-forwarded-for': forwarded }
  const answer = await fetch(`http://127.0.0.1:${proxy.port}/`, { headers })
  const said = await answer.text()
  await proxy.close(AbortSignal.abort())
  return [said, own]
}

it.each([
  ['a visitor’s word is dropped', [], '192.0.2.1', '127.0.0.1'],
  ['so is that of a proxy which is not named', ['10.0.0.0/8'], '192.0.2.1', '127.0.0.1'],
  ['the word of one that is named counts', ['127.0.0.1'], '192.0.2.1', '192.0.2.1'],
  ['what the visitor wrote before it does not', ['127.0.0.1'], '6.6.6.6, 192.0.2.1', '192.0.2.1'],
  ['proxies in a row are passed', ['127.0.0.0/8', '10.0.0.7'], '192.0.2.1, 10.0.0.7', '192.0.2.1'],
])('%s', async (_, proxies, forwarded, address) => {
  expect(await seen(proxies, forwarded)).toEqual([address, address])
})

it('reads the setting as the API does, and refuses one that is no address', () => {
  const source = { DATABASE_URL: 'postgres://127.0.0.1/x', SVC_INTERNAL_PORT: '1' }
  const { SVC_TRUSTED_PROXIES } = readEnv({ ...source, SVC_TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7' })
  expect(['10.1.2.3', '192.0.2.7', '192.0.2.8'].map(SVC_TRUSTED_PROXIES)).toEqual([true, true, false])
  expect(() => readEnv({ ...source, SVC_TRUSTED_PROXIES: 'example.com' })).toThrow(/SVC_TRUSTED_PROXIES/)
})
