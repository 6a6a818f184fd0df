import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { credentialIssues } from '@svc/upstream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectorOf, localProviders, optionsOf, targetOf } from '../src/testing/target.ts'

const folder = mkdtempSync(join(tmpdir(), 'mtls-'))
const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

function authority(name: string): void {
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    `/CN=${name}`,
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.pem`,
  )
}

function certificate(name: string, ca: string, extension: string): void {
  openssl(
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    `/CN=${name}`,
    '-addext',
    extension,
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.csr`,
  )
  openssl(
    'x509',
    '-req',
    '-in',
    `${name}.csr`,
    '-CA',
    `${ca}.pem`,
    '-CAkey',
    `${ca}.key`,
    '-CAcreateserial',
    '-days',
    '2',
    '-copy_extensions',
    'copy',
    '-out',
    `${name}.pem`,
  )
}

let server: Server
let base_url = ''
let requests = 0
beforeAll(async () => {
  authority('ours')
  authority('theirs')
  certificate('server', 'ours', 'subjectAltName=IP:127.0.0.1')
  certificate('client', 'ours', 'extendedKeyUsage=clientAuth')
  certificate('stranger', 'theirs', 'extendedKeyUsage=clientAuth')
  openssl('rsa', '-aes256', '-passout', 'pass:open sesame', '-in', 'client.key', '-out', 'client.sealed.key')
  const tls = { key: read('server.key'), cert: read('server.pem'), ca: read('ours.pem') }
  server = createServer({ ...tls, requestCert: true, rejectUnauthorized: true }, (req, res) => {
    requests++
    const { subject } = (req.socket as TLSSocket).getPeerCertificate()
    res.end(subject.CN)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  base_url = `https://127.0.0.1:${Object(server.address()).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

const providers = localProviders()
function call(credential: Record<string, string> | null) {
  const auth = { type: credential === null ? 'none' : 'mtls' } as const
  const target = targetOf(connectorOf({ provider: 'http', base_url, auth }), { credential })
  const action = { action: 'get', binding: {}, risk: 'read' } as const
  return providers.http?.call(target, action, { path: '/' }, optionsOf().options)
}
const of = (name: string) => ({
  certificate: read(`${name}.pem`),
  private_key: read(`${name}.key`),
  ca: read('ours.pem'),
})

test('a certificate of the right authority is let in, also with a key under a passphrase', async () => {
  expect(await call(of('client'))).toMatchObject({ ok: true, data: { status: 200, body: 'client' } })
  const sealed = { ...of('client'), private_key: read('client.sealed.key'), passphrase: 'open sesame' }
  expect(await call(sealed)).toMatchObject({ ok: true, data: { body: 'client' } })
})

test.each([
  ['of another authority', () => of('stranger')],
  ['which is missing', () => null],
])('a certificate %s is turned away by the service', async (_, credential) => {
  const before = requests
  // A service of TLS 1.3 may only hang up, which looks as if the request had arrived.
  const reason = expect.stringMatching(/^(?:upstream_unreachable|outcome_unknown)$/)
  expect(await call(credential())).toMatchObject({ ok: false, reason, upstream_status: null })
  expect(requests).toBe(before)
})

test.each([
  ['with the authority of a stranger for the server', () => ({ ...of('client'), ca: read('theirs.pem') })],
  ['with the key of another', () => ({ ...of('client'), private_key: read('stranger.key') })],
  [
    'with a wrong passphrase',
    () => ({ ...of('client'), private_key: read('client.sealed.key'), passphrase: 'no' }),
  ],
])('a certificate %s reaches nobody, and nothing was sent', async (_, credential) => {
  const before = requests
  expect(await call(credential())).toMatchObject({
    ok: false,
    reason: 'upstream_unreachable',
    sent: false,
  })
  expect(requests).toBe(before)
})

test('a certificate is used for its own requests alone', async () => {
  expect(await call(of('client'))).toMatchObject({ ok: true })
  expect(await call(null)).toMatchObject({ ok: false })
})

test('a credential that cannot work is refused when it is given', () => {
  const issues = (credential: Record<string, string>) =>
    credentialIssues({ type: 'mtls' }, credential).map(({ field }) => field)
  expect(issues(of('client'))).toEqual([])
  expect(issues({ ...of('client'), private_key: read('stranger.key') })).toEqual(['private_key'])
  expect(issues({ ...of('client'), private_key: read('client.sealed.key'), passphrase: 'no' })).toEqual([
    'private_key',
  ])
  expect(issues({ ...of('client'), certificate: 'hello', ca: 'there' })).toEqual(['certificate', 'ca'])
})
