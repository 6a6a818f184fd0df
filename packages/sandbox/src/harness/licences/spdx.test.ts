import { describe, expect, test } from 'vitest'
import { isFree, spdxOf } from './spdx.ts'

describe('a licence that asks for no acceptance', () => {
  test.each([
    ...['Apache-2.0', 'MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'MPL-2.0', 'BlueOak-1.0.0'],
    ...['CC0-1.0', 'Unlicense', 'Python-2.0', '(MIT)', 'MIT OR GPL-3.0-only', 'GPL-3.0-only OR MIT'],
    ...['MIT AND ISC', '(MIT OR GPL-2.0-only) AND ISC', 'MIT AND (GPL-2.0-only OR (ISC))'],
    ...['Apache-2.0 WITH LLVM-exception', 'GPL-2.0-only AND MIT OR ISC'],
  ])('%s', (spdx) => {
    expect(isFree(spdx)).toBe(true)
  })
})

describe('a licence whose text has to be accepted', () => {
  test.each([
    ...[null, '', 'UNLICENSED', 'GPL-3.0-only', 'SEE LICENSE IN README.md', 'SEE LICENSE IN MIT', 'mit'],
    ...['MIT AND GPL-3.0-only', '(MIT OR ISC) AND GPL-3.0-only', 'GPL-3.0-only OR (MIT AND LGPL-2.1-only)'],
    ...['MIT OR', 'OR MIT', '(MIT', 'MIT)', 'MIT ISC', 'MIT-but-not-for-you', 'GPL-2.0-only WITH MIT', '()'],
  ])('%s', (spdx) => {
    expect(isFree(spdx)).toBe(false)
  })
})

test.each([
  [{ license: 'MIT' }, 'MIT'],
  [{ license: { type: 'ISC', url: 'x' } }, 'ISC'],
  [{ licenses: [{ type: 'MIT' }, { type: 'GPL-3.0-only' }] }, 'MIT OR GPL-3.0-only'],
  [{ licenses: [] }, null],
  [{ license: ' ' }, null],
  [{ license: 7 }, null],
  [{}, null],
])('%j names %s', (manifest, spdx) => {
  expect(spdxOf(manifest)).toBe(spdx)
})
