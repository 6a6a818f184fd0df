import { previewPlace } from '@svc/context'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { previewEnv, previewsAreApart } from './preview-env.ts'

test.each([
  ['http://127.0.0.1:7700', 'http://<random>.preview.localhost:7700'],
  ['http://localhost:7700', 'http://<random>.preview.localhost:7700'],
  ['http://svc.localhost', 'http://<random>.preview.localhost'],
  ['http://[::1]:7700', 'http://<random>.preview.localhost:7700'],
  ['http://192.168.1.2:7700', null],
  ['http://127.0.0.1.example.com', null],
  ['https://localhost:7700', null],
  ['https://svc.example.com', null],
])('the platform at %s has its previews by itself at %s', (SVC_PUBLIC_URL, at) => {
  const place = previewPlace({ SVC_PUBLIC_URL })
  expect(place && `${place.scheme}://<random>.${place.host}`).toBe(at)
})

test('the operator names another place, which is reached as the platform is', () => {
  const SVC_PUBLIC_URL = 'https://svc.example.com'
  expect(previewPlace({ SVC_PUBLIC_URL, SVC_PREVIEW_HOST: 'preview.example.net:8443' })).toEqual({
    scheme: 'https',
    host: 'preview.example.net:8443',
    name: 'preview.example.net',
  })
  const below = { SVC_PUBLIC_URL, SVC_PREVIEW_HOST: 'preview.svc.example.com' }
  expect(previewPlace(below)).toMatchObject({ name: 'preview.svc.example.com' })
})

test.each([
  ['svc.example.com', false],
  ['example.com:8443', false],
  ['preview.svc.example.com', true],
  ['xsvc.example.com', true],
  [undefined, true],
])('%s is apart from the platform at svc.example.com: %s', (SVC_PREVIEW_HOST, apart) => {
  const [isApart] = previewsAreApart
  expect(isApart({ SVC_PUBLIC_URL: 'https://svc.example.com', SVC_PREVIEW_HOST })).toBe(apart)
  expect(isApart({ SVC_PREVIEW_HOST })).toBe(true)
})

const setting = z.object(previewEnv)

test.each([
  ['Preview.Example.com', 'preview.example.com'],
  ['preview.localhost:7700', 'preview.localhost:7700'],
  ['p.a-b.example', 'p.a-b.example'],
])('%s is a host for previews', (given, read) => {
  expect(setting.parse({ SVC_PREVIEW_HOST: given }).SVC_PREVIEW_HOST).toBe(read)
})

test.each([
  ...[
    'https://preview.example.com',
    'preview.example.com/',
    '*.preview.example.com',
    'localhost',
    '10.0.0.1',
  ],
  ...[
    '[::1]',
    'preview.example.com:0',
    'preview.example.com:70000',
    'preview..com',
    '-a.example.com',
    'a b.com',
  ],
  ...[
    'preview.example.com.',
    'under_score.example.com',
    `${'a'.repeat(64)}.example.com`,
    `${'a.'.repeat(120)}com`,
  ],
])('%s is none', (SVC_PREVIEW_HOST) => {
  expect(setting.safeParse({ SVC_PREVIEW_HOST }).error?.issues[0]?.message).toContain(
    'must be a name such as',
  )
})
