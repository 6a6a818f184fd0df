import { expect, test } from 'vitest'
import { redirectProblem } from './redirects.ts'

test.each([
  ['https://app.example/callback'],
  ['http://127.0.0.1/callback'],
  ['http://localhost:1234/'],
  ['http://[::1]/callback'],
  ['com.example.app:/callback'],
  ['cursor://anysphere.cursor/callback'],
])('%s may be registered', (uri) => expect(redirectProblem([uri])).toBeNull())

test.each([
  ['http://app.example/callback'],
  ['http://127.0.0.1.example/callback'],
  ['https://user:secret@app.example/'],
  ['no url'],
  [`https://app.example/${'x'.repeat(3000)}`],
])('%s may not', (uri) => expect(redirectProblem([uri])).toEqual(expect.any(String)))

test('a list has an end', () =>
  expect(redirectProblem(Array.from({ length: 21 }, (_, n) => `https://a.example/${n}`))).toContain(
    'more than',
  ))
