import { expect, test } from 'vitest'
import { proxyRateLimit } from './rate-limit.ts'

test('counts each sandbox for itself and says when the window ends', async () => {
  const limit = proxyRateLimit(2)
  expect(await limit('a')).toMatchObject({
    allowed: true,
    headers: { 'X-RateLimit-Limit': '2', 'X-RateLimit-Remaining': '1' },
  })
  expect(await limit('a')).toMatchObject({ allowed: true, headers: { 'X-RateLimit-Remaining': '0' } })
  const refused = await limit('a')
  expect(refused).toMatchObject({ allowed: false, headers: { 'X-RateLimit-Remaining': '0' } })
  expect(refused.retry_after).toBeGreaterThan(0)
  expect(refused.retry_after).toBeLessThanOrEqual(60)
  expect(await limit('b')).toMatchObject({ allowed: true })
})
