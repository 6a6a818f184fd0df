import type { DiffFile } from '@svc/sdk'
import { expect, test } from 'vitest'
import { fileHeight, hunksHeight, meanHeight } from './file-height.ts'

const file = (path: string, changes: Partial<DiffFile> = {}): DiffFile => ({
  ...{ path, old_path: null, status: 'modified', additions: 2, deletions: 1, binary: false },
  ...changes,
})
const patch = [
  'diff --git a/a.ts b/a.ts',
  '--- a/a.ts',
  '+++ b/a.ts',
  '@@ -1,3 +1,4 @@ head',
  ' same',
  '-gone',
  '+come',
  '+come too',
  ' same',
  '@@ -20 +21 @@',
  '-old',
  '+new',
  '\\ No newline at end of file',
].join('\n')

test('lines stand under one another or beside each other, and hunks have a gap between them', () => {
  expect(hunksHeight(patch, 'unified')).toBeCloseTo(7 * 19.2 + 8)
  expect(hunksHeight(patch, 'split')).toBeCloseTo(5 * 19.2 + 8)
})

test('a file that begins folded is as high as its words', () => {
  const folded = fileHeight({ file: file('go.sum'), patch }, 'unified')
  expect(folded).toBeLessThan(fileHeight({ file: file('a.ts'), patch }, 'split'))
  expect(fileHeight({ file: file('a.ts'), patch: null }, 'unified')).toBe(folded)
  expect(fileHeight({ file: file('a.png', { binary: true }), patch }, 'unified')).toBe(folded)
})

test('the average of no file is no height', () => {
  expect(meanHeight([], 'unified')).toBe(0)
  expect(
    meanHeight(
      [
        { file: file('a.ts'), patch },
        { file: file('b.ts'), patch: null },
      ],
      'unified',
    ),
  ).toBe(Math.round((55 + 7 * 19.2 + 8 + 99) / 2))
})
