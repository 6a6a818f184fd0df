import { expect, test } from 'vitest'
import { isOwnOrigin } from './origin.ts'

test.each([
  [undefined, true],
  ['https://svc.example', true],
  ['http://localhost:5173', true],
  ['http://127.0.0.1:7700', true],
  ['http://[::1]:7700', true],
  ['http://svc.example', false],
  ['https://svc.example.evil.example', false],
  ['http://localhost.evil.example', false],
  ['null', false],
  ['', false],
])('the origin %j is ours: %s', (origin, ours) => {
  expect(isOwnOrigin(origin, 'https://svc.example/v1')).toBe(ours)
})
