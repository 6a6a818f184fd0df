import { expect, test } from 'vitest'
import { callPath } from './call-path.ts'

test('the project is filled in and the query added', () => {
  expect(
    callPath('/v1/projects/{project_id}/sessions?limit=5', 'p 1', { status: 'running', deep: true }),
  ).toEqual({
    kind: 'path',
    path: '/v1/projects/p%201/sessions',
    search: '?limit=5&status=running&deep=true',
  })
  expect(callPath('/v1/accounts/me', undefined)).toEqual({
    kind: 'path',
    path: '/v1/accounts/me',
    search: '',
  })
})

test.each([
  ['/v1/projects/{project_id}', 'give project_id'],
  ['/v1/projects/p/sessions/{session_id}', '{session_id}'],
  ['https://elsewhere.example/v1/x', 'names no host'],
  ['//elsewhere.example/v1/x', 'names no host'],
  ['/v1/../healthz', 'names no host'],
  ['/v1/%2e%2e/healthz', 'names no host'],
  ['/v1/a%2Fb', 'names no host'],
  ['/v1/a\\b', 'names no host'],
  ['/v1/a b', 'names no host'],
  ['/git/p.git/info/refs', 'begins with /v1/'],
  ['', 'begins with /v1/'],
])('%j is refused', (path, reason) => {
  expect(callPath(path, undefined)).toEqual({ kind: 'refused', reason: expect.stringContaining(reason) })
})
