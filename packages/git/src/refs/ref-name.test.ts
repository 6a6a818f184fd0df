import { describe, expect, test } from 'vitest'
import { branchRef, isBranchName, isSha, requireShas, zeroSha } from './ref-name.ts'

describe('branch names', () => {
  test.each(['main', 'feature/x', 'a.b', 'ünï/çödé', '日本', 'x@y', '0f8fad5b-d9cb-469f-a165-70867728950e'])(
    '%j is one',
    (name) => expect(branchRef(name)).toBe(`refs/heads/${name}`),
  )

  test.each([
    '',
    '@',
    'HEAD',
    '-f',
    '--upload-pack=touch /tmp/x',
    'a..b',
    'a@{1}',
    'a b',
    'a\nb',
    'a\0b',
    'a~1',
    'a^',
    'a:b',
    'a?b',
    'a*',
    'a[b',
    'a\\b',
    '/a',
    'a/',
    'a//b',
    'a.',
    '.a',
    'a/.b',
    'a.lock',
    'a.lock/b',
    'a\u007f',
    '\ud800',
    '../../HEAD',
    'x'.repeat(245),
  ])('%j is none', (name) => {
    expect(isBranchName(name)).toBe(false)
    expect(branchRef(name)).toBeNull()
  })

  test('a SHA is 40 lower-case hex digits', () => {
    expect(isSha('a'.repeat(40))).toBe(true)
    expect(isSha('A'.repeat(40))).toBe(false)
    expect(isSha('a'.repeat(39))).toBe(false)
    expect(isSha(`${'a'.repeat(40)}\n`)).toBe(false)
  })

  test.each(['', 'main', 'HEAD', zeroSha, '--all', 'a'.repeat(39)])(
    '%j is not taken for a commit',
    (text) => {
      expect(() => requireShas('a'.repeat(40), text)).toThrow('is not a commit SHA')
    },
  )
})
