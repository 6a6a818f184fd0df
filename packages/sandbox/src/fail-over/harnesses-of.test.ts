import { expect, test } from 'vitest'
import type { HarnessSource } from '../provider.ts'
import { harnessesOf } from './harnesses-of.ts'

const named = (provider: string, harnesses: HarnessSource) => ({ provider, harnesses })

test.each([
  ['each reads the store', ['store', 'store'], 'store'],
  ['each has an image', [['a@1', 'b@2'], ['b@2']], ['b@2']],
  ['one reads the store, and one has an image', ['store', ['a@1']], []],
  ['one has an image, and one reads the store', [['a@1'], 'store'], []],
] as const)('%s', (_, [one, other], both) => {
  const providers = [named('one', one), named('other', other)]
  expect(harnessesOf(providers)).toEqual(both)
  expect(harnessesOf(providers, 'other')).toEqual(other)
  expect(harnessesOf(providers, 'neither')).toEqual([])
})
