import { expect, test } from 'vitest'
import { CreateChangeRequest } from '../nouns/change-requests.ts'
import { withAliases } from './aliases.ts'

test('another spelling is the same key, and the own spelling wins', () => {
  const rename = withAliases({ headRef: 'head_ref' })
  expect(rename({ headRef: 'a', title: 't' })).toEqual({ head_ref: 'a', title: 't' })
  expect(rename({ headRef: 'a', head_ref: 'b' })).toEqual({ head_ref: 'b' })
})

test.each([null, 'x', 3, [1]])('%j passes unchanged', (value) => {
  expect(withAliases({ a: 'b' })(value)).toEqual(value)
})

test('a change request is opened with either spelling', () => {
  const parsed = CreateChangeRequest.parse({ title: 't', headRef: 'x', baseRef: 'main', sessionId: 's' })
  expect(parsed).toEqual({ title: 't', head_ref: 'x', base_ref: 'main', session_id: 's' })
})
