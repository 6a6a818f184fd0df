import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ConnectorAuth } from '@svc/manifest'
import { sign as awsSign } from 'aws4'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { WireRequest } from '../shapes.ts'
import { credentialFields, credentialIssues, prepared } from './auth.ts'

const now = new Date('2026-03-01T10:20:30.400Z')
const prepare = (
  auth: ConnectorAuth | null,
  credential: Record<string, string>,
  more: Partial<WireRequest> = {},
) => {
  const request = {
    method: 'GET',
    url: new URL('https://api.example/v1/things?b=2&a=1'),
    headers: {},
    body: null,
  }
  return prepared({ ...request, ...more }, { auth, credential, now, nonce: 'nonce-1' })
}

describe('fields', () => {
  test.each<[ConnectorAuth | null, string]>([
    [null, ''],
    [{ type: 'none' }, ''],
    [{ type: 'bearer' }, 'token'],
    [{ type: 'basic' }, 'username password'],
    [{ type: 'api_key' }, 'key'],
    [{ type: 'custom', headers: { 'x-a': '{{ one }}-{{two}}' }, query: { q: 'v{{ one }}' } }, 'one two'],
    [{ type: 'oauth1' }, 'consumer_key consumer_secret token? token_secret?'],
    [{ type: 'hmac' }, 'secret key_id?'],
    [{ type: 'aws_sigv4' }, 'access_key_id secret_access_key session_token?'],
    [{ type: 'mtls' }, 'certificate private_key passphrase? ca?'],
  ])('%j', (auth, names) => {
    const fields = credentialFields(auth).map(({ name, required }) => (required ? name : `${name}?`))
    expect(fields.join(' ')).toBe(names)
  })

  test('a wrong credential is refused by its fields, and no value is said', () => {
    const issues = credentialIssues(
      { type: 'oauth1' },
      { consumer_key: 'a\nb', consumer_secret: 7, tokn: 'hidden' },
    )
    expect(issues.map(({ field }) => field)).toEqual(['tokn', 'consumer_key', 'consumer_secret'])
    expect(JSON.stringify(issues)).not.toContain('hidden')
    expect(issues[0]?.message).toContain('consumer_key, consumer_secret, token, token_secret')
    expect(credentialIssues({ type: 'bearer' }, {})).toEqual([{ field: 'token', message: 'is missing' }])
    expect(credentialIssues({ type: 'bearer' }, { token: 'fine' })).toEqual([])
    expect(credentialIssues(null, { token: 'x' })).toHaveLength(1)
    expect(credentialIssues({ type: 'basic' }, { username: 'a:b', password: 'c' })).toHaveLength(1)
    expect(credentialIssues({ type: 'basic' }, { username: 'key', password: '' })).toEqual([])
    expect(credentialIssues({ type: 'basic' }, { username: 'key' })).toEqual([
      { field: 'password', message: 'is missing' },
    ])
    expect(credentialIssues({ type: 'mtls' }, { certificate: 'x', private_key: 'y' })).toHaveLength(2)
  })
})

describe('tokens and keys', () => {
  test('bearer, also with the token of OAuth and without a word in the manifest', async () => {
    const authorization = async (auth: ConnectorAuth | null, credential: Record<string, string>) =>
      (await prepare(auth, credential)).headers['authorization']
    expect(await authorization({ type: 'bearer' }, { token: 't' })).toBe('Bearer t')
    expect(await authorization({ type: 'bearer' }, { access_token: 'o' })).toBe('Bearer o')
    expect(await authorization(null, { access_token: 'o' })).toBe('Bearer o')
    expect(await authorization(null, {})).toBeUndefined()
    await expect(authorization({ type: 'bearer' }, {})).rejects.toMatchObject({
      reason: 'connector_not_connected',
    })
    await expect(authorization({ type: 'bearer' }, { token: 'a\nb' })).rejects.toThrow(/line break/)
  })
  test('basic is in UTF-8', async () => {
    const { headers } = await prepare({ type: 'basic' }, { username: 'jö', password: 'p:w' })
    expect(headers['authorization']).toBe(`Basic ${Buffer.from('jö:p:w').toString('base64')}`)
  })
  test('a key is in its header, or takes the place of a parameter', async () => {
    expect((await prepare({ type: 'api_key' }, { key: 'k' })).headers).toEqual({ 'x-api-key': 'k' })
    const named = { type: 'api_key', in: 'query', name: 'a' } as const
    expect((await prepare(named, { key: 'k&x' })).url.search).toBe('?b=2&a=k%26x')
    await expect(prepare({ type: 'api_key', in: 'cookie' }, { key: 'k' })).rejects.toThrow(
      'auth.in must be header or query',
    )
    await expect(prepare({ type: 'api_key', name: 'Host' }, { key: 'k' })).rejects.toThrow(/platform alone/)
  })
  test('custom fills its texts, and a value is no text to fill', async () => {
    const auth = { type: 'custom', headers: { 'X-A': 'k {{ a }}' }, query: { q: '{{b}}' } } as const
    const { headers, url } = await prepare(auth, { a: '$& {{b}}', b: 'c d' })
    expect([headers['x-a'], url.search]).toEqual(['k $& {{b}}', '?b=2&a=1&q=c%20d'])
    await expect(prepare({ type: 'custom', headers: { a: 7 } }, {})).rejects.toThrow(
      'auth.headers.a must be a text',
    )
  })
})

describe('hmac', () => {
  const body = Buffer.from([0, 255, 1])
  test('as the manifest lays it out by default', async () => {
    const { headers } = await prepare({ type: 'hmac' }, { secret: 's' }, { method: 'POST', body })
    const payload = Buffer.concat([Buffer.from('1772360430.POST./v1/things?b=2&a=1.'), body])
    expect(headers).toEqual({
      'x-signature': createHmac('sha256', 's').update(payload).digest('hex'),
      'x-timestamp': '1772360430',
    })
  })
  test('with each key', async () => {
    const auth = {
      type: 'hmac',
      algorithm: 'sha512',
      payload: 'v0:{timestamp}:{body}',
      header: 'X-Sig',
      format: 'v0={base64}',
      timestamp_header: 'X-Time',
      key_id_header: 'X-Key',
    } as const
    const { headers } = await prepare(
      auth,
      { secret: 's', key_id: 'k7' },
      { body: Buffer.from('{timestamp}') },
    )
    const digest = createHmac('sha512', 's').update('v0:1772360430:{timestamp}').digest('base64')
    expect(headers).toEqual({ 'x-sig': `v0=${digest}`, 'x-time': '1772360430', 'x-key': 'k7' })
    await expect(prepare({ type: 'hmac', format: 'x' }, { secret: 's' })).rejects.toThrow('auth.format')
  })
})

describe('aws_sigv4', () => {
  const credential = {
    access_key_id: 'AKIDEXAMPLE',
    secret_access_key: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  }
  const auth = { type: 'aws_sigv4', region: 'eu-central-1', service: 'execute-api' } as const

  test('is what another signer makes of the request as it is sent', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.string({ minLength: 1, maxLength: 5 }), fc.string({ maxLength: 5 })), {
          maxLength: 4,
        }),
        fc.constantFrom('/', '/a/b', '/a%20b/c', '/x%2Fy', "/it's(1)"),
        fc.option(fc.uint8Array({ maxLength: 20 })),
        fc.boolean(),
        async (pairs, path, body, session) => {
          const url = new URL(`https://api.example:8443${path}`)
          url.search = new URLSearchParams(pairs).toString()
          const method = body === null ? 'GET' : 'POST'
          // The other signer adds a length to a request with a body.
          const length = body === null ? {} : { 'content-length': String(body.length) }
          const headers = { 'x-static': 'a  b', 'content-type': 'application/json', ...length }
          const full = session ? { ...credential, session_token: 'sess' } : credential
          const signed = await prepare(auth, full, { url, method, headers, body })
          const keys = {
            accessKeyId: credential.access_key_id,
            secretAccessKey: credential.secret_access_key,
          }
          const { authorization: _, ...rest } = signed.headers
          const again = awsSign(
            {
              host: signed.url.host,
              path: signed.url.pathname + signed.url.search,
              method,
              service: auth.service,
              region: auth.region,
              headers: { ...rest, Host: signed.url.host },
              body: body === null ? '' : Buffer.from(body),
            },
            session ? { ...keys, sessionToken: 'sess' } : keys,
          )
          expect(signaturesOf(signed.headers['authorization'])).toEqual(
            signaturesOf(again.headers?.['Authorization']),
          )
          expect(signed.headers['host']).toBeUndefined()
          expect([...signed.url.searchParams]).toEqual(expect.arrayContaining([...url.searchParams]))
        },
      ),
    )
  })
  test('needs region and service', async () => {
    await expect(prepare({ type: 'aws_sigv4', service: 's3' }, credential)).rejects.toThrow('auth.region')
    await expect(prepare({ type: 'aws_sigv4', region: 'x' }, credential)).rejects.toThrow('auth.service')
  })
})

/** Its signature and the headers that it is over. */
function signaturesOf(authorization: unknown) {
  const [, headers, signature] =
    /SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})/.exec(String(authorization)) ?? []
  expect(signature).toBeDefined()
  return { headers, signature }
}

describe('oauth1', () => {
  test('is the signature of the example in RFC 5849, over a form and repeated names', async () => {
    const credential = {
      consumer_key: '9djdj82h48djs9d2',
      consumer_secret: 'j49sk3j29djd',
      token: 'kkk9d7dh3k39sjv7',
      token_secret: 'dh893hdasih9',
    }
    const request = {
      method: 'POST',
      url: new URL('https://example.com/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b'),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from('c2&a3=2+q'),
    }
    const { headers } = await prepare({ type: 'oauth1' }, credential, request)
    expect(verifies(request, headers['authorization'], credential, 'sha1')).toBe(true)
    expect(headers['authorization']).toContain('oauth_signature_method="HMAC-SHA1"')
    // The parameters of section 3.4.1.3.2, in its order.
    expect(normalised(request, [['oauth_token', 'kkk9d7dh3k39sjv7']])).toBe(
      'a2=r%20b&a3=2%20q&a3=a&b5=%3D%253D&c%40=&c2=&oauth_token=kkk9d7dh3k39sjv7',
    )
  })
  test('holds for any query, and for no other request', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.string({ minLength: 1, maxLength: 4 }), fc.string({ maxLength: 6 })), {
          maxLength: 5,
        }),
        async (pairs) => {
          const url = new URL('https://api.example/1/x')
          url.search = new URLSearchParams(pairs).toString()
          const request = { method: 'GET', url, headers: {}, body: null }
          const credential = { consumer_key: 'ck', consumer_secret: 'c&s', token: 'tk', token_secret: 't%s' }
          const auth = { type: 'oauth1', signature_method: 'HMAC-SHA256' } as const
          const { headers } = await prepare(auth, credential, request)
          expect(verifies(request, headers['authorization'], credential, 'sha256')).toBe(true)
          const other = { ...request, url: new URL('https://api.example/1/y') }
          expect(verifies(other, headers['authorization'], credential, 'sha256')).toBe(false)
        },
      ),
    )
  })
})

const strict = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Section 3.4.1.3 by hand. */
function normalised({ url, body }: Pick<WireRequest, 'url' | 'body'>, more: string[][]): string {
  const form = new URLSearchParams(body === null ? '' : Buffer.from(body).toString())
  return [...url.searchParams, ...form, ...more]
    .map(([name = '', value = '']) => [strict(name), strict(value)] as const)
    .sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : x > y ? 1 : 0))
    .map((pair) => pair.join('='))
    .join('&')
}

function verifies(
  request: Pick<WireRequest, 'method' | 'url' | 'body'>,
  authorization: string | undefined,
  credential: Record<string, string>,
  hash: string,
): boolean {
  const given = [...(authorization ?? '').matchAll(/(oauth_[a-z_]+)="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, decodeURIComponent(value)],
  )
  const { oauth_signature = '', ...rest } = Object.fromEntries(given)
  const base = [
    request.method,
    strict(request.url.origin + request.url.pathname),
    strict(
      normalised(
        request,
        Object.entries(rest).map(([name, value]) => [name, String(value)]),
      ),
    ),
  ].join('&')
  const key = `${strict(credential['consumer_secret'] ?? '')}&${strict(credential['token_secret'] ?? '')}`
  const made = createHmac(hash, key).update(base).digest()
  const said = Buffer.from(String(oauth_signature), 'base64')
  return made.length === said.length && timingSafeEqual(made, said)
}
