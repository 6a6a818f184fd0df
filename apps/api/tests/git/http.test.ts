import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openGit } from './git-client.ts'

const { platform, api, stranger, folder, git, address, clone, change } = await openGit()

test('clone, push a branch, fetch it again', async () => {
  const { token } = platform.owner
  const one = await clone(token)
  await change(one, 'one.txt', 'one\n')
  expect(await git(['-C', one, 'push', '-q', 'origin', 'HEAD:refs/heads/topic'], token)).toMatchObject({
    code: 0,
  })
  const two = await clone(token)
  expect((await git(['-C', two, 'branch', '-r'])).text).toContain('origin/topic')
})

test.each(['0', '1', '2'])('protocol version %s', async (version) => {
  const listed = await git(
    ['-c', `protocol.version=${version}`, 'ls-remote', address()],
    platform.owner.token,
  )
  expect(listed).toMatchObject({ code: 0 })
  expect(listed.text).toContain('refs/heads/main')
})

test('a large push is streamed and comes back as it was', async () => {
  const { token } = platform.owner
  const one = await clone(token)
  await change(one, 'large.bin', randomBytes(6 * 1024 * 1024))
  expect(await git(['-C', one, 'push', '-q', 'origin', 'HEAD:refs/heads/large'], token)).toMatchObject({
    code: 0,
  })
  const target = await mkdtemp(join(folder, 'clone-'))
  expect(await git(['clone', '-q', '-b', 'large', address(), target], token)).toMatchObject({ code: 0 })
  expect((await git(['-C', target, 'rev-parse', 'HEAD'])).text).toBe(
    (await git(['-C', one, 'rev-parse', 'HEAD'])).text,
  )
})

test('a shallow and a partial clone work', async () => {
  for (const flag of ['--depth=1', '--filter=blob:none']) {
    const target = await mkdtemp(join(folder, 'clone-'))
    expect(await git(['clone', '-q', flag, address(), target], platform.owner.token), flag).toMatchObject({
      code: 0,
    })
  }
})

test('without a credential git is asked for one', async () => {
  const response = await fetch(`${address()}/info/refs?service=git-upload-pack`)
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toBe('Basic realm="svc"')
  expect(response.headers.get('x-request-id')).toBeTruthy()
  expect((await git(['ls-remote', address()])).text).toMatch(/could not read Username|Authentication failed/)
})

test('a wrong credential is 401, a foreign person 404, a bearer is as good as a password', async () => {
  const refs = `${address()}/info/refs?service=git-upload-pack`
  expect((await fetch(refs, { headers: { authorization: 'Bearer nonsense' } })).status).toBe(401)
  expect((await fetch(refs, { headers: { authorization: `Bearer ${stranger.token}` } })).status).toBe(404)
  expect((await fetch(refs, { headers: { authorization: `Bearer ${platform.owner.token}` } })).status).toBe(
    200,
  )
})

test('nothing but the three routes is there', async () => {
  const headers = { authorization: `Bearer ${platform.owner.token}` }
  for (const path of [
    '',
    '/HEAD',
    '/config',
    '/objects/info/packs',
    '/info/refs?service=git-upload-archive',
    '/git-upload-archive',
  ]) {
    const response = await fetch(address() + path, { headers })
    expect([403, 404], path).toContain(response.status)
    expect(response.headers.get('content-type'), path).toContain('text/plain')
  }
  expect((await fetch(`${address()}/git-upload-pack`, { headers })).status).toBe(405)
  expect((await fetch(`${address()}/git-upload-pack`, { headers, method: 'POST', body: 'x' })).status).toBe(
    415,
  )
  expect(
    (await fetch(`${api.origin}/v1/git/not-a-uuid.git/info/refs?service=git-upload-pack`, { headers }))
      .status,
  ).toBe(404)
})

test('a compressed request is understood', async () => {
  const response = await fetch(`${address()}/git-upload-pack`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${platform.owner.token}`,
      'content-type': 'application/x-git-upload-pack-request',
      'content-encoding': 'gzip',
      'git-protocol': 'version=2',
    },
    body: gzipSync('0014command=ls-refs\n00010009peel\n0000'),
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toContain('no-cache')
  expect(await response.text()).toContain('refs/heads/main')
})

const asked = gzipSync('0014command=ls-refs\n00010009peel\n0000')

test.each([
  ['gzip', 'a body that is none', Buffer.from('0014command=ls-refs\n00010009peel\n0000'), 400],
  ['gzip', 'one that was cut', asked.subarray(0, -12), 400],
  ['gzip', 'one that was changed on the way', Buffer.concat([asked.subarray(0, -8), Buffer.alloc(8)]), 400],
  ['gzip', 'nothing', Buffer.alloc(0), 400],
  ['gzip', 'one that unpacks to very much', gzipSync(Buffer.alloc(80_000_000)), 400],
  ['br', 'another compression', brotliCompressSync('0014command=ls-refs\n00010009peel\n0000'), 415],
  ['gzip, gzip', 'two of them', gzipSync(asked), 415],
  ['snappy', 'an unknown one', asked, 415],
] as const)(
  'a body with Content-Encoding %s: %s, is refused as a mistake',
  async (encoding, _, body, status) => {
    for (const service of ['git-upload-pack', 'git-receive-pack']) {
      for (const protocol of ['version=2', 'version=0']) {
        const response = await fetch(`${address()}/${service}`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${platform.owner.token}`,
            'content-type': `application/x-${service}-request`,
            'content-encoding': encoding,
            'git-protocol': protocol,
          },
          body: new Uint8Array(body),
        })
        expect([service, protocol, response.status, await response.text()]).toEqual([
          service,
          protocol,
          status,
          expect.stringMatching(/gzip|git could not read/),
        ])
      }
    }
  },
)
