import { expect, test } from 'vitest'
import { checkRepositoryUrl } from './check-repository-url.ts'
import { remoteAccess } from './remote-access.ts'

const answers =
  (...addresses: string[]) =>
  () =>
    Promise.resolve(addresses)

test('a name whose every address is public passes, with the addresses to connect to', async () => {
  const checked = await checkRepositoryUrl('https://host/a', {}, answers('8.8.8.8', '2606:4700::1111'))
  expect(checked.addresses).toEqual(['8.8.8.8', '2606:4700::1111'])
})

test.each([
  ['one private answer among public ones', 'https://host/a', ['8.8.8.8', '10.0.0.1']],
  ['a name for the metadata service', 'https://host/a', ['169.254.169.254']],
  ['a mapped address', 'https://host/a', ['::ffff:127.0.0.1']],
])('%s is refused', async (_, url, addresses) => {
  await expect(checkRepositoryUrl(url, {}, answers(...addresses))).rejects.toMatchObject({
    code: 'repository_not_allowed',
  })
})

test.each([
  'https://127.0.0.1/a',
  'https://[::1]/a',
  'https://[::ffff:127.0.0.1]/a',
  'https://0x7f.1/a',
  'https://2130706433/a',
  'https://017700000001/a',
])('%s needs no name server to be refused', async (url) => {
  const never = () => Promise.reject(new Error('asked'))
  await expect(checkRepositoryUrl(url, {}, never)).rejects.toMatchObject({ code: 'repository_not_allowed' })
})

test('a name without an answer is a passing trouble', async () => {
  const failing = () => Promise.reject(new Error('ENOTFOUND'))
  for (const lookup of [failing, answers()]) {
    await expect(checkRepositoryUrl('https://host/a', {}, lookup)).rejects.toMatchObject({
      code: 'git_mirror_unavailable',
      details: { retry_after: 5 },
    })
  }
})

test('the connection is pinned and the credential bound to its origin', async () => {
  const checked = await checkRepositoryUrl('https://host:8443/a', {}, answers('8.8.8.8', '2606:4700::1111'))
  const access = remoteAccess(checked, { username: 'x', token: 'secret' })
  expect(access.env).toEqual({ GIT_ALLOW_PROTOCOL: 'https' })
  expect(access.config).toEqual([
    ['http.curloptResolve', 'host:8443:8.8.8.8,[2606:4700::1111]'],
    ['http.https://host:8443/.extraHeader', `Authorization: Basic ${btoa('x:secret')}`],
  ])
  expect(access.url).not.toContain('secret')
})

test('ssh goes to the checked address under the name of the host', async () => {
  const checked = await checkRepositoryUrl('ssh://git@host/a', { ssh: true }, answers('8.8.8.8'))
  const access = remoteAccess(checked, null)
  expect(access.env['GIT_SSH_COMMAND']).toContain('-oHostKeyAlias=host -oHostName=8.8.8.8')
})
