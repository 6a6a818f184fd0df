import { expect, test } from 'vitest'
import { pathOfRoute } from './path-of-route.ts'

test.each([
  ['/v1/projects', '/v1/projects'],
  ['/v1/projects/', '/v1/projects'],
  ['/v1/projects/?limit=3', '/v1/projects'],
  ['/scim/v2/accounts/x/Users/', '/scim/v2/accounts/x/Users'],
  ['/v1/projects//', '/v1/projects//'],
  ['/v1/projects/%2F', '/v1/projects/%2F'],
  ['/', '/'],
  ['/v1/', '/v1/'],
  ['/projects/', '/projects/'],
])('%s is matched as %s', (url, path) => {
  expect(pathOfRoute(new Request(`http://svc.example${url}`))).toBe(path)
})
