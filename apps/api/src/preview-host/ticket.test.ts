import { formatToken } from '@svc/access'
import { expect, test } from 'vitest'
import { takeTicket } from './ticket.ts'

const ticket = formatToken('svc_prv_', new Uint8Array(32))

test.each([
  [`/?ticket=${ticket}`, '/'],
  [`/a//b?x&ticket=${ticket}&y=%20`, '/a//b?x&y=%20'],
  [`/?ticket=theirs&ticket=${ticket}`, '/?ticket=theirs'],
])('%s leads to %s', (url, rest) => {
  expect(takeTicket(url)).toEqual({ ticket, rest })
})

test.each([
  '/',
  '/?',
  `/ticket=${ticket}`,
  '/?ticket=',
  '/?ticket=ST-1-of-their-own',
  `/?ticket=${ticket}x`,
  `/?ticket=${ticket.slice(0, -1)}`,
  `/?other=${ticket}`,
  `/?ticket=${formatToken('svc_pat_', new Uint8Array(32))}`,
])('%s has no ticket of the platform', (url) => expect(takeTicket(url)).toBeNull())
