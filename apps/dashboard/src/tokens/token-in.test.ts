import { expect, test } from 'vitest'
import { tokenIn } from './token-in.ts'

test.each([
  ['https://svc.example/dashboard/invitations#token=svc_inv_1', 'svc_inv_1'],
  ['#token=svc_inv_1', 'svc_inv_1'],
  ['  svc_inv_1\n', 'svc_inv_1'],
  ['#nothing=svc_inv_1', ''],
  ['https://svc.example/dashboard/link#token=svc_chl_1', 'svc_chl_1'],
  ['', ''],
])('%j holds %j', (text, token) => expect(tokenIn(text)).toBe(token))
