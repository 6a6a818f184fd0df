import { expect, test } from 'vitest'
import { diffsOf } from './tool-diffs.ts'

const head = '===================================================================\n--- a.ts\n+++ a.ts\n'
const hunk = '@@ -1,2 +1,2 @@\n const a = 1\n-const b = 2\n+const b = 3\n'

test('the places of one file come together, each as a patch that can be shown by itself', () => {
  const [one, ...others] = diffsOf([
    { path: 'a.ts', patch: head + hunk, truncated: false },
    { path: 'a.ts', patch: head + hunk, truncated: false },
  ])
  expect(others).toEqual([])
  expect(one).toMatchObject({ path: 'a.ts', additions: 2, deletions: 2, truncated: false })
  expect(one?.patches).toEqual([
    `diff --git a/file b/file\n--- a/file\n+++ b/file\n${hunk}`,
    `diff --git a/file b/file\n--- a/file\n+++ b/file\n${hunk}`,
  ])
})

test('a patch that was left out or cut says so', () => {
  expect(diffsOf([{ path: 'large.bin', patch: '', truncated: true }])).toEqual([
    { path: 'large.bin', patches: [], additions: 0, deletions: 0, truncated: true },
  ])
})

test('anything else than diffs is none', () => {
  expect(diffsOf(undefined)).toEqual([])
  expect(diffsOf('patch')).toEqual([])
})
