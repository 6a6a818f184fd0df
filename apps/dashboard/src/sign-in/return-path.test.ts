import { expect, test } from 'vitest'
import { returnPath } from './return-path.ts'

const origin = 'https://svc.example'

test.each([
  ['/dashboard/', '/dashboard/'],
  ['/dashboard/projects/1/triggers', '/dashboard/projects/1/triggers'],
  ['/dashboard/projects?status=open', '/dashboard/projects?status=open'],
  ['/dashboard/projects#token=svc_lnk_1', '/dashboard/projects'],
])('%s leads to %s', (text, path) => expect(returnPath(text, origin)).toBe(path))

test.each([
  null,
  undefined,
  '',
  '/',
  '/v1/docs',
  '/dashboardish/',
  '/dashboard/signed-in?code=1',
  '/dashboard/../v1/oauth/authorize',
  '/dashboard/%2e%2e/v1/docs',
  '/dashboard/..//evil.example/',
  '/dashboard/\\..\\..\\\\evil.example',
  '//evil.example/dashboard/',
  '\\\\evil.example/dashboard/',
  'https://evil.example/dashboard/',
  'https://svc.example/dashboard/projects',
  'javascript:alert(1)',
  ' /dashboard/projects',
])('%j leads to the first page', (text) => expect(returnPath(text, origin)).toBe('/dashboard/'))
