import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { addPerson } from '../support/credentials.ts'
import { client } from '../support/sso.ts'
import { openAccounts, refused } from './accounts.ts'

const { sso, acme, db, owner, call } = await openAccounts()
const admin = await addPerson(db, acme, 'admin')

describe('a provider of the account’s own', () => {
  const set = (json: object) => call('PUT', `${acme}/sso`, owner, { ...client, ...json })

  test.each<readonly [string, string, () => string]>([
    ['malformed', 'no address', () => 'id.acme.example'],
    ['malformed', 'another protocol', () => 'ftp://id.acme.example'],
    ['malformed', 'a password', () => 'https://a:b@id.acme.example'],
    ['malformed', 'its document', () => `${sso.issuer}/.well-known/openid-configuration`],
    ['private_address', 'a private address', () => 'https://10.0.0.1'],
    ['private_address', 'the metadata service', () => 'https://169.254.169.254'],
    ['private_address', 'a mapped one', () => 'https://[::ffff:192.168.0.1]'],
    ['private_address', 'a number that is one', () => 'https://0x0a000001'],
    ['private_address', 'no TLS', () => 'http://8.8.8.8'],
    ['unreachable', 'a closed port', () => 'http://127.0.0.1:1'],
    ['not_openid', 'something else', () => sso.origin],
    ['issuer_mismatch', 'another name of it', () => sso.issuer.replace('127.0.0.1', 'localhost')],
  ])('is not set up: %s, for %s', async (reason, _, issuer) => {
    const answer = await set({ issuer: issuer() })
    expect(answer, answer.text).toMatchObject({ ...refused(422, 'issuer_not_usable'), body: { reason } })
    expect(answer.text).not.toContain(client.client_secret)
    expect(await call('GET', `${acme}/sso`, admin)).toMatchObject({ status: 404 })
  })

  test('is not followed elsewhere', async () => {
    const asked: string[] = []
    const server = createServer((req, res) => {
      asked.push(req.url ?? '')
      res.writeHead(302, { location: `${sso.issuer}/.well-known/openid-configuration` }).end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const issuer = `http://127.0.0.1:${Object(server.address()).port}`
    expect(await set({ issuer })).toMatchObject({ status: 422, body: { reason: 'not_openid' } })
    expect(asked).toEqual(['/.well-known/openid-configuration'])
    server.close()
  })

  test('is kept with its secret, which nothing shows again', async () => {
    const answer = await set({ issuer: sso.issuer })
    const shown = {
      issuer: sso.issuer,
      client_id: client.client_id,
      enforced: false,
      default_role: 'member',
      redirect_uri: `${sso.origin}/v1/auth/sso/${acme}/callback`,
    }
    expect(answer, answer.text).toMatchObject({ status: 200, body: shown })
    const read = await call('GET', `${acme}/sso`, admin)
    expect(read.body).toEqual(answer.body)
    // Without a secret the kept one stays, but goes to no other issuer.
    const { client_id } = client
    const kept = await call('PUT', `${acme}/sso`, owner, { issuer: sso.issuer, client_id })
    expect(kept).toMatchObject({ status: 200, body: shown })
    for (const other of [
      { issuer: 'https://evil.example', client_id },
      { issuer: sso.issuer, client_id: 'x' },
    ])
      expect(await call('PUT', `${acme}/sso`, owner, other)).toMatchObject({
        ...refused(400, 'invalid_request'),
        body: { issues: [{ path: 'client_secret' }] },
      })
    expect(await set({ issuer: sso.issuer, enforced: true })).toMatchObject(refused(409, 'conflict'))
  })
})
