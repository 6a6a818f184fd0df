import { expect, test } from 'vitest'
import { branchName, isBranchName } from './refs.ts'

test.each(['main', 'feature/ünï-✓', 'a.b', '0f8fad5b-d9cb-469f-a165-70867728950e', 'heads/x'])(
  '%s is a branch',
  (name) => {
    expect(isBranchName(name)).toBe(true)
  },
)

test.each([
  '',
  '-x',
  '--upload-pack=touch',
  'a..b',
  'a@{1}',
  'a b',
  'a\nb',
  'a\0',
  'x.lock',
  '.x',
  'a/.b',
  'a//b',
  'a/',
  '@',
  'HEAD',
  'a:b',
  'a^',
  'a~1',
  'a*',
  'a\\b',
])('%j is no branch', (name) => {
  expect(isBranchName(name)).toBe(false)
})

test('a leading refs/heads/ is dropped', () => {
  expect(branchName('refs/heads/main')).toBe('main')
})
