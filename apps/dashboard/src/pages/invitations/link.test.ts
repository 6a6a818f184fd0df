import { expect, test } from 'vitest'
import { invitationToken } from './link.ts'

test.each([
  ['https://svc.example/dashboard/invitations#token=svc_inv_1', 'svc_inv_1'],
  ['#token=svc_inv_1', 'svc_inv_1'],
  ['  svc_inv_1\n', 'svc_inv_1'],
  ['#nothing=svc_inv_1', ''],
  ['', ''],
])('%j holds %j', (text, token) => expect(invitationToken(text)).toBe(token))
