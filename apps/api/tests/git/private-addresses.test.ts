import { makeRepositories, type TestRepositories } from '@svc/git/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestPlatform, testPlatform } from '../support/platform.ts'

/** The addresses of names; the first answer of `rebound` is public. */
const names: Readonly<Record<string, readonly string[]>> = {
  'private.example': ['10.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'mixed.example': ['8.8.8.8', '127.0.0.1'],
}

let storage: TestRepositories
let platform: TestPlatform
beforeAll(async () => {
  storage = await makeRepositories({
    allow: { http: true, ssh: true },
    lookup: (host) => Promise.resolve(names[host] ?? []),
  })
  platform = await testPlatform({ repositories: storage.repositories })
})
afterAll(async () => {
  await platform?.close()
  await storage?.remove()
})

const connect = (repo_url: string) =>
  platform.call('/v1/projects', {
    method: 'POST',
    token: platform.owner.token,
    json: { name: 'x', repo_url, credential: { token: 'very-secret-token' } },
  })

test.each([
  'https://127.0.0.1/x.git',
  'https://[::1]/x.git',
  'https://[::ffff:127.0.0.1]/x.git',
  'http://169.254.169.254/latest/meta-data',
  'https://0x7f.1/x.git',
  'https://2130706433/x.git',
  'ssh://git@127.0.0.1/x.git',
  'https://private.example/x.git',
  'https://metadata.example/x.git',
  'https://mixed.example/x.git',
])('a project cannot be connected to the private address %s', async (repo_url) => {
  expect(await connect(repo_url)).toMatchObject({
    status: 400,
    body: {
      code: 'repository_not_allowed',
      message: 'The repository is on a private address, which the platform does not call; give a public one.',
    },
  })
})

test.each([
  'ext::sh -c touch% /tmp/x',
  'ext::sh',
  '--upload-pack=touch',
  '-oProxyCommand=touch',
  'ssh://-oProxyCommand=touch/x',
  'file:///etc',
  'git://8.8.8.8/x',
  'git@8.8.8.8:x.git',
  '/etc',
  'https://8.8.8.8/x\n--upload-pack=touch',
  'https://8.8.8.8/x\0',
  'https://user:very-secret-token@8.8.8.8/x',
])('a project cannot be connected to %j', async (repo_url) => {
  const answer = await connect(repo_url)
  expect(answer.status, answer.text).toBe(400)
  expect(answer.text).not.toContain('very-secret-token')
})
