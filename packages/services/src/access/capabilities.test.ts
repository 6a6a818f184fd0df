import { capabilities, defaultAgentGrant } from '@svc/access'
import { defaultCapabilities, manifestCapabilities } from '@svc/manifest'
import { expect, test } from 'vitest'

test('the manifest and the access rules know the same capabilities', () => {
  expect(manifestCapabilities.filter((name) => name !== '*')).toEqual([...capabilities])
})

test('an agent without svc_cli is granted the same in both', () => {
  expect([...defaultCapabilities].sort()).toEqual([...defaultAgentGrant].sort())
})
