import { expect, test } from 'vitest'
import { ownAuth } from './open-repository.ts'

const api_url = 'https://platform.test/v1'
const inherited = { SVC_CLI_TOKEN: 'svc_pat_of-the-session' }

test('the platform’s own origin is opened with the session’s token', () => {
  expect(ownAuth({ repo_url: `${api_url}/git/p.git`, api_url, inherited })).toEqual({
    username: 'x-access-token',
    token: 'svc_pat_of-the-session',
  })
})

test.each([
  ['another host', 'https://elsewhere.test/v1/git/p.git', inherited],
  ['a host whose name begins as the platform’s does', 'https://platform.test.evil/v1/git/p.git', inherited],
  ['the platform’s address as a user name', 'https://platform.test@evil.test/v1/git/p.git', inherited],
  ['another path of the platform', `${api_url}/github/p.git`, inherited],
  ['no token', `${api_url}/git/p.git`, {}],
  ['an empty token', `${api_url}/git/p.git`, { SVC_CLI_TOKEN: '' }],
])('nobody else gets it: %s', (_who, repo_url, given) => {
  expect(ownAuth({ repo_url, api_url, inherited: given })).toBeNull()
})
