import { ServiceError } from '@svc/errors'
import { expect, test } from 'vitest'
import { treePath } from './tree-path.ts'

test.each([
  ['a/b', 'a/b'],
  ['/a', 'a'],
  ['-x', '-x'],
  ['a\nb', 'a\nb'],
  [':(glob)*', ':(glob)*'],
])('%j names %j', (path, name) => expect(treePath(path)).toBe(name))

test.each(['', '/', '.', '../etc/passwd', 'a/../b', 'a//b', 'a/', './a', 'a\0b'])('%j is refused', (path) => {
  expect(() => treePath(path)).toThrow(ServiceError)
})
