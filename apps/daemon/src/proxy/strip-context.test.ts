import { expect, test } from 'vitest'
import { stripContextQuery } from './strip-context.ts'

test.each([
  ['/a', '/a'],
  ['/a?x=%20&y', '/a?x=%20&y'],
  ['/a?__svc_user_context=abc', '/a'],
  ['/a?x=1&__svc_user_context=abc.def&y=2', '/a?x=1&y=2'],
  ['/a?__svc_user_contextual=1', '/a?__svc_user_contextual=1'],
])('%s becomes %s', (url, expected) => {
  expect(stripContextQuery(url)).toBe(expected)
})
