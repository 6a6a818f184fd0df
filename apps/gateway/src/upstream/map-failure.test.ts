import { expect, test } from 'vitest'
import { mapFailure } from './map-failure.ts'

const said = (message: string) => JSON.stringify({ error: { message, type: 'x' } })

test.each([
  [400, said('too long'), { status: 400, message: 'too long' }],
  [404, said('no such model'), { status: 404, message: 'no such model' }],
  [422, 'nonsense', { status: 400, code: 'model_refused' }],
  [500, said('inner'), { status: 502, message: 'The model provider answered 500' }],
  [401, said('key sk-1234 is wrong'), { status: 502, code: 'model_key_refused' }],
  [403, said('key sk-1234 is wrong'), { status: 502, code: 'model_key_refused' }],
])('%i %s', (status, body, refusal) => {
  const mapped = mapFailure(status, body, null)
  expect(mapped).toMatchObject(refusal)
  expect(mapped.message).not.toContain('sk-1234')
})

test('a rate limit says how long to wait', () => {
  expect(mapFailure(429, said('slow down'), '12')).toMatchObject({
    status: 429,
    retry_after: '12',
    message: 'slow down',
  })
})
