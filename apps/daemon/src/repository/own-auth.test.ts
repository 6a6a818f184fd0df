import { expect, test } from 'vitest'
import { ownAuth } from './own-auth.ts'

const api_url = 'https://platform.test/v1'
const token = 'svc_pat_of-the-session'

test('the platform’s own origin is opened with the session’s token', () => {
  expect(ownAuth({ repo_url: `${api_url}/git/p.git`, api_url, token })).toEqual({
    username: 'x-access-token',
    token,
  })
})

test.each([
  ['another host', 'https://elsewhere.test/v1/git/p.git', token],
  ['a host whose name begins as the platform’s does', 'https://platform.test.evil/v1/git/p.git', token],
  ['the platform’s address as a user name', 'https://platform.test@evil.test/v1/git/p.git', token],
  ['another path of the platform', `${api_url}/github/p.git`, token],
  ['no token', `${api_url}/git/p.git`, undefined],
  ['an empty token', `${api_url}/git/p.git`, ''],
])('nobody else gets it: %s', (_who, repo_url, given) => {
  expect(ownAuth({ repo_url, api_url, token: given })).toBeNull()
})
