import { expect, test } from 'vitest'
import { cutPatch, isCopySection, patchSections } from './patch.ts'

const one = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+diff --git a/z b/z\n'
const two = 'diff --git a/y b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n'

test('a patch that fits is whole', () => {
  expect(cutPatch(Buffer.from(one + two), 1_000).toString()).toBe(one + two)
  expect(cutPatch(Buffer.from(one), one.length).toString()).toBe(one)
})

test('a patch is cut between files, whatever the limit', () => {
  const patch = Buffer.from(one + two)
  for (let limit = 0; limit < patch.length; limit += 1) {
    expect(cutPatch(patch, limit).toString()).toBe(limit < one.length ? '' : one)
  }
})

test('sections', () => {
  expect(patchSections(one + two)).toEqual([one, two])
  expect(patchSections('')).toEqual([])
  expect([one, two].map(isCopySection)).toEqual([false, true])
})
