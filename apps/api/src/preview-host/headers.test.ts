import { formatToken } from '@svc/access'
import { expect, test } from 'vitest'
import { preparePreviewRequest } from './headers.ts'

const identity = { request_id: 'r1', user_context: 'signed' }
const token = formatToken('svc_pat_', new Uint8Array(32))

test.each([
  ['Bearer their.own.jwt', 'Bearer their.own.jwt'],
  ['Basic dTpw', 'Basic dTpw'],
  [`Bearer ${token}`, undefined],
  [`Basic ${Buffer.from(`u:${token}`).toString('base64')}`, undefined],
])('the program is told %s as %s', (authorization, told) => {
  const headers = { authorization, cookie: 'svc_preview=x; theirs=1', 'x-svc-user-context': 'forged' }
  preparePreviewRequest(headers, identity)
  expect(headers).toEqual({
    ...(told === undefined ? {} : { authorization: told }),
    cookie: 'theirs=1',
    'x-svc-user-context': 'signed',
    'x-request-id': 'r1',
  })
})
