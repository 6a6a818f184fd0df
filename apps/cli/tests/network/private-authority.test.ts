import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildCli } from '../support/built-cli.ts'

const cli = await buildCli()
let server: Server
let env: Record<string, string>
let certificate: string

beforeAll(async () => {
  certificate = join(cli.folder, 'authority.pem')
  const key = join(cli.folder, 'key.pem')
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const fresh = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  execFileSync('openssl', [...fresh, ...name, '-days', '2', '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  })
  const own = { key: readFileSync(key), cert: readFileSync(certificate) }
  server = createServer(own, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port }: AddressInfo = Object(server.address())
  env = { SVC_CLI_TOKEN: 'svc_pat_x', SVC_API_URL: `https://127.0.0.1:${port}` }
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const ls = (more: Record<string, string> = {}) =>
  cli.run(['projects', 'ls', '--json'], { env: { ...env, ...more } })

it('a platform behind a private authority is reached with NODE_EXTRA_CA_CERTS', async () => {
  expect(await ls({ NODE_EXTRA_CA_CERTS: certificate })).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
})

it('also where a proxy is named, which takes the other way out', async () => {
  const proxied = { HTTPS_PROXY: 'http://127.0.0.1:1', NO_PROXY: '127.0.0.1' }
  expect(await ls({ ...proxied, NODE_EXTRA_CA_CERTS: certificate })).toMatchObject({
    code: 0,
    stdout: '[]\n',
  })
})

it('without it nothing is sent, and the error says what to do', async () => {
  const { code, stdout, stderr } = await ls()
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('certificate')
  expect(stderr).toContain('NODE_EXTRA_CA_CERTS')
})
