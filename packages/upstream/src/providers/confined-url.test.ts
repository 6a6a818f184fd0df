import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { confinedUrl } from './confined-url.ts'

const base = new URL('https://api.example/v1/')

test.each([
  ['users', 'https://api.example/v1/users'],
  ['/users/7', 'https://api.example/v1/users/7'],
  ['', 'https://api.example/v1/'],
  ['/', 'https://api.example/v1/'],
  ['users?a=1&b=x%2Fy', 'https://api.example/v1/users?a=1&b=x%2Fy'],
  ['a%2Fb', 'https://api.example/v1/a%2Fb'],
  ['projects/foo:run', 'https://api.example/v1/projects/foo:run'],
  ['a/b..c/...', 'https://api.example/v1/a/b..c/...'],
  ['a%23b', 'https://api.example/v1/a%23b'],
  ['50%25', 'https://api.example/v1/50%25'],
  ['find?next=https://other.example/../x', 'https://api.example/v1/find?next=https://other.example/../x'],
])('%j stays below the address', (path, url) => {
  expect(confinedUrl(base, path).href).toBe(url)
})

describe('refused', () => {
  test.each([
    '..',
    '../v2',
    'a/../../v2',
    '..%2fv2',
    '%2e%2e/v2',
    '%2E%2e%2Fv2',
    '%252e%252e/v2',
    '..%252fv2',
    '%25252e%25252e/v2',
    '//other.example',
    '/%2Fother.example',
    '%2f%2fother.example',
    '/%252Fother.example',
    'https://other.example/',
    'HTTP://other.example',
    'https:%2f%2fother.example',
    '\\\\other.example',
    '/\\other.example',
    '%5c%5cother.example',
    '..\\v2',
    '..%5cv2',
    '..;/v2',
    '..;a=b/v2',
    'a\r\nHost: b',
    'a%0d%0aHost:b',
    'a%00',
    'a#b',
    '%ff',
    '%',
    '\ud800',
    '. ./..\t/',
  ])('%j', (path) => {
    expect(() => confinedUrl(base, path)).toThrow(expect.objectContaining({ reason: 'invalid_arguments' }))
  })
})

test('no path leads out of the address, however a server decodes it', () => {
  const pieces = [
    '..',
    '.',
    '/',
    '\\',
    '%2e',
    '%2f',
    '%5c',
    '%25',
    '2e',
    '2f',
    'a',
    ';',
    ':',
    '?',
    '@',
    'https:',
    ' ',
    '\t',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 10 }), (parts) => {
      let url: URL
      try {
        url = confinedUrl(base, parts.join(''))
      } catch {
        return
      }
      expect(url.origin).toBe(base.origin)
      let path = url.pathname
      for (let n = 0; n < 3; n++) {
        const resolved = new URL(path.replaceAll('\\', '/').replace(/^\/\//, '/x/../../'), base)
        expect(`${resolved.origin}${resolved.pathname}/`).toMatch(/^https:\/\/api\.example\/v1\//)
        try {
          path = decodeURIComponent(path)
        } catch {
          return
        }
      }
    }),
    { numRuns: 5_000 },
  )
})
