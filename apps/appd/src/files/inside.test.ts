import { expect, test } from 'vitest'
import { partsInside, targetInside } from './inside.ts'

test.each([
  ['a/b', ['a', 'b']],
  ['./a//b/', ['a', 'b']],
  ['', []],
  ['/a', null],
  ['../a', null],
  ['a/../b', null],
  ['a\0b', null],
  ['x'.repeat(256), null],
])('the parts of %j', (path, parts) => expect(partsInside(path)).toEqual(parts))

test.each([
  ['a/link', 'b', true],
  ['a/link', '../b', true],
  ['a/link', '../../b', false],
  ['link', '..', false],
  ['link', '/etc', false],
  ['link', '', false],
])('a link at %s to %s', (at, target, inside) => expect(targetInside(at.split('/'), target)).toBe(inside))
