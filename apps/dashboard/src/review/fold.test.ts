import { expect, test } from 'vitest'
import { foldReason } from './fold.ts'

const of = (path: string, rest: object = {}) =>
  foldReason({
    file: { path, old_path: null, status: 'modified', additions: 1, deletions: 1, binary: false, ...rest },
    patch: '',
  })

test.each([
  ['src/a.ts', {}, null],
  ['src/lock.ts', {}, null],
  ['pnpm-lock.yaml', {}, 'Generated'],
  ['web/dist/main.js', {}, 'Generated'],
  ['src/a.ts', { status: 'deleted' }, 'Deleted'],
  ['src/a.ts', { additions: 400 }, 'Large'],
])('%s %j is folded as %s', (path, rest, reason) => {
  expect(of(path, rest)).toBe(reason)
})
