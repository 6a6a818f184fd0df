import { expect, test } from 'vitest'
import { featureFlag, isFeatureOn } from './features.ts'

const nothing = { project: null, account: null, platform: null, available: true }

test.each([
  ['its own default, where nothing was decided', nothing, true],
  ['the platform', { ...nothing, platform: false }, false],
  ['the account before the platform', { ...nothing, platform: false, account: true }, true],
  ['the project before the account', { ...nothing, account: true, project: false }, false],
  ['nobody, where an operator closed it', { ...nothing, project: true, available: false }, false],
])('a feature is decided by %s', (_, decided, on) => {
  expect(isFeatureOn(featureFlag('previews'), decided)).toBe(on)
})

test('the model gateway is opted into by the project alone', () => {
  const gateway = featureFlag('model_gateway')
  expect(isFeatureOn(gateway, { ...nothing, account: true, platform: true })).toBe(false)
  expect(isFeatureOn(gateway, { ...nothing, account: false, project: true })).toBe(true)
  expect(isFeatureOn(gateway, { ...nothing, project: true, available: false })).toBe(false)
})
