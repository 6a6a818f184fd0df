import { expect, test } from 'vitest'
import { linkToken, recoveryToken } from './link.ts'

test.each([
  ['#type=magic_link&token=svc_lnk_1', 'svc_lnk_1'],
  ['#type=recovery&token=svc_lnk_1', null],
  ['#token=svc_lnk_1', null],
  ['#type=magic_link', null],
  ['', null],
])('%j holds %j', (hash, token) => expect(linkToken(hash)).toBe(token))

test('the link of a forgotten password signs nobody in, and the other way round', () => {
  expect(recoveryToken('#type=recovery&token=svc_lnk_1')).toBe('svc_lnk_1')
  expect(recoveryToken('#type=magic_link&token=svc_lnk_1')).toBeNull()
})
