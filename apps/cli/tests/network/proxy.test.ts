import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { buildCli } from '../support/built-cli.ts'
import { ok, startApi } from '../support/stub-api.ts'

const cli = await buildCli()
const api = await startApi({ 'GET /v1/projects': () => ok([]) })
const asked: string[] = []

/** Knows one name: the stub's, which no other resolver knows. */
const proxy = createServer((_, response) => response.writeHead(501).end())
proxy.on('connect', (request, socket) => {
  asked.push(request.url ?? '')
  const far = connect(Number(new URL(api.origin).port), '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    socket.pipe(far).pipe(socket)
  })
  far.on('error', () => socket.destroy())
  socket.on('error', () => far.destroy())
})
let address: string

beforeAll(async () => {
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port }: AddressInfo = Object(proxy.address())
  address = `http://127.0.0.1:${port}`
})
beforeEach(() => void asked.splice(0))
afterAll(() => {
  proxy.closeAllConnections()
  proxy.close()
})

const ls = (api_url: string, env: Record<string, string>) =>
  cli.run(['projects', 'ls', '--json'], { env: { SVC_CLI_TOKEN: 'svc_pat_x', SVC_API_URL: api_url, ...env } })

it.each(['HTTP_PROXY', 'http_proxy'])('requests go through %s', async (name) => {
  const result = await ls('http://platform.invalid/v1', { [name]: address })
  expect(result, result.stderr).toMatchObject({ code: 0, stdout: '[]\n' })
  expect(asked).toEqual(['platform.invalid:80'])
})

it('what is on this machine, or named by NO_PROXY, is asked directly', async () => {
  expect(await ls(api.api_url, { HTTP_PROXY: address })).toMatchObject({ code: 0 })
  expect(await ls('http://platform.invalid/v1', { HTTP_PROXY: address, NO_PROXY: '.invalid' })).toMatchObject(
    {
      code: 1,
    },
  )
  expect(asked).toEqual([])
})
