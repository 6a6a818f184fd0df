import { expect, test } from 'vitest'
import { pastedToken } from './pasted-token.ts'

test.each([
  ['svc_pat_0123456789', 'svc_pat_0123456789'],
  ['  svc_pat_0123456789\n', 'svc_pat_0123456789'],
  ['Bearer svc_oat_0123456789', 'svc_oat_0123456789'],
  ['SVC_CLI_TOKEN=svc_pat_0123456789', 'svc_pat_0123456789'],
  ['', null],
  ['short', null],
  ['two words of text', null],
  ['svc_pat_sécret0000', null],
])('%j is %j', (text, token) => {
  expect(pastedToken(text)).toBe(token)
})
