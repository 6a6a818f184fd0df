import { isPlatformCookie } from '@svc/contract/preview'
import { expect, test } from 'vitest'
import { previewCookie, previewCookies } from './cookie.ts'

const place = (scheme: 'http' | 'https', name: string) => ({ scheme, name, host: name }) as const

test.each([
  [
    place('https', 'p.example.com'),
    '__Host-svc_preview=x; Path=/; Max-Age=9; HttpOnly; Secure; SameSite=None; Partitioned',
  ],
  [
    place('http', 'preview.localhost'),
    'svc_preview=x; Path=/; Max-Age=9; HttpOnly; Secure; SameSite=None; Partitioned',
  ],
  [place('http', 'p.intern.example'), 'svc_preview=x; Path=/; Max-Age=9; HttpOnly; SameSite=Lax'],
])('at %j a cookie is of this host alone, and no script’s', (at, line) => {
  expect(previewCookie(at, 'x', 9)).toBe(line)
  expect(line.toLowerCase()).not.toContain('domain')
  expect(isPlatformCookie(line)).toBe(true)
})

test('every cookie of the name is looked at, and no other', () => {
  const header = 'a=1; svc_preview=x;svc_preview=y=z ; __Host-svc_preview=s; xsvc_preview=n; svc_preview'
  expect(previewCookies(place('http', 'preview.localhost'), header)).toEqual(['x', 'y=z'])
  expect(previewCookies(place('https', 'p.example.com'), header)).toEqual(['s'])
  expect(previewCookies(place('https', 'p.example.com'), undefined)).toEqual([])
})
