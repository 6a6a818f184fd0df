import { expect, test } from 'vitest'
import { secretRows } from './secret-rows.ts'

const secret = (name: string) => ({
  name,
  created_by: 'u',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  configured: true,
})

test('what is required and missing comes first, then required, optional and others', () => {
  const rows = secretRows({
    items: [secret('ZED'), secret('HAVE'), secret('ABLE')],
    required: ['HAVE', 'NEED'],
    optional: ['MAY', 'ABLE'],
    missing: ['NEED'],
  })
  expect(rows.map(({ name }) => name)).toEqual(['NEED', 'HAVE', 'ABLE', 'MAY', 'ZED'])
  expect(rows.map(({ need }) => need)).toEqual(['required', 'required', 'optional', 'optional', null])
  expect(rows.filter((row) => row.secret === null).map(({ name }) => name)).toEqual(['NEED', 'MAY'])
})
