import { expect, test } from 'vitest'
import { credentialAnswer, isFor, parseCredentialRequest } from './credential.ts'

const repo_url = 'http://git.test:8080/git/p1.git'
const credential = {
  repo_url,
  auth: { username: 'x-access-token', token: 'tok', type: 'basic' as const },
  source: 'managed' as const,
  expires_at: null,
}
const request = (protocol: string, host: string, path: string) => ({ protocol, host, path })

test('the request is read from lines of key=value', () => {
  expect(
    parseCredentialRequest('protocol=http\nhost=git.test:8080\npath=a=b.git\nwwwauth[]=Basic\n'),
  ).toEqual(request('http', 'git.test:8080', 'a=b.git'))
  expect(parseCredentialRequest('')).toEqual(request('', '', ''))
})

test('the repository gets its user name and token', () => {
  expect(credentialAnswer(credential, request('http', 'git.test:8080', 'git/p1.git'))).toBe(
    'username=x-access-token\npassword=tok\n',
  )
})

test.each([
  ['the path without .git', request('http', 'git.test:8080', 'git/p1'), true],
  ['something below it', request('http', 'git.test:8080', 'git/p1.git/info/lfs'), true],
  ['another repository', request('http', 'git.test:8080', 'git/p2.git'), false],
  ['a longer name', request('http', 'git.test:8080', 'git/p1x.git'), false],
  ['no path', request('http', 'git.test:8080', ''), false],
  ['a way out', request('http', 'git.test:8080', 'git/p1.git/../p2.git'), false],
  ['another protocol', request('https', 'git.test:8080', 'git/p1.git'), false],
  ['another port', request('http', 'git.test', 'git/p1.git'), false],
  ['another host', request('http', 'evil.test:8080', 'git/p1.git'), false],
])('%s: %#', (_name, asked, right) => {
  expect(isFor(repo_url, asked)).toBe(right)
})

test('a public repository, a bad address and a token with a line break give nothing', () => {
  const asked = request('http', 'git.test:8080', 'git/p1.git')
  expect(credentialAnswer({ ...credential, auth: null }, asked)).toBe('')
  expect(credentialAnswer({ ...credential, repo_url: 'git@host:x' }, asked)).toBe('')
  const broken = { ...credential, auth: { ...credential.auth, token: 'a\npassword=b' } }
  expect(credentialAnswer(broken, asked)).toBe('')
})
