import { expect, test } from 'vitest'
import { previewLabel } from './address.ts'

const place = { name: 'preview.example.com' }
const label = '0123456789abcdef'.repeat(2)
const own = `${label}.preview.example.com`

test.each([own, `${own}:8443`, own.toUpperCase(), `${own}.`, `${own}.:80`, ` ${own}`])(
  '%s is the host of a preview',
  (host) => {
    expect(previewLabel({ headers: { host } }, place, false)).toBe(label)
  },
)

test.each([
  'preview.example.com',
  'preview.example.com:80',
  'x.preview.example.com',
  `a.${own}`,
  `${label}0.preview.example.com`,
  `.preview.example.com`,
  `user@${own}`,
])('%s is that of none, and of nothing else either', (host) => {
  expect(previewLabel({ headers: { host } }, place, false)).toBeNull()
})

test.each([
  undefined,
  '',
  'example.com',
  `${label}.example.com`,
  'xpreview.example.com',
  '127.0.0.1:1',
  '[::1]:1',
])('%s is the platform’s own', (host) => {
  expect(previewLabel({ headers: host === undefined ? {} : { host } }, place, true)).toBeUndefined()
})

test('what a proxy says counts behind one alone, and leads to no more than a preview', () => {
  const headers = { host: 'api.internal', 'x-forwarded-host': `other.example, ${own}` }
  expect(previewLabel({ headers }, place, true)).toBe(label)
  expect(previewLabel({ headers }, place, false)).toBeUndefined()
  const away = { host: own, 'x-forwarded-host': 'example.com' }
  expect(previewLabel({ headers: away }, place, true)).toBe(label)
})

test('an address with a host of its own does not lead past it', () => {
  const headers = { host: 'example.com' }
  for (const url of [`http://${own}/v1/health`, `HTTP://a:b@${own}:1?x`, `http://${own}`])
    expect(previewLabel({ headers, url }, place, false)).toBe(label)
  expect(previewLabel({ headers: { host: own }, url: 'http://example.com/v1/health' }, place, false)).toBe(
    label,
  )
  expect(previewLabel({ headers, url: `/http://${own}/` }, place, false)).toBeUndefined()
})
