import { expect, test } from 'vitest'
import { limitsText } from './limits-text.ts'

const none = { requests_per_minute: null, tokens_per_minute: null, concurrency: null, models: null }

test('a key says the limits that it has, and no others', () => {
  expect(limitsText(none)).toBe('none')
  expect(limitsText({ ...none, requests_per_minute: 60, tokens_per_minute: 1_000_000 })).toBe(
    '60 requests a minute · 1,000,000 tokens a minute',
  )
  expect(limitsText({ ...none, requests_per_minute: 1, tokens_per_minute: 1 })).toBe(
    '1 request a minute · 1 token a minute',
  )
  expect(limitsText({ ...none, concurrency: 4, models: ['acme/*', 'demo'] })).toBe(
    '4 at a time · acme/*, demo',
  )
  expect(limitsText({ ...none, models: [] })).toBe('no model')
})
