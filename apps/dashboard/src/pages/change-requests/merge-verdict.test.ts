import { expect, test } from 'vitest'
import { mergeVerdict } from './merge-verdict.ts'

const clean = {
  is_up_to_date: false,
  can_merge: true,
  can_fast_forward: true,
  conflicts: [],
  ahead: 1,
  behind: 0,
  manifest: { valid: true, issues: [], blocks: false },
}

test.each([
  ['forward', clean, true, /moves forward by 1 commit\./],
  ['diverged', { ...clean, can_fast_forward: false, ahead: 2, behind: 3 }, true, /joins 2 commits and 3 of/],
  ['conflicts', { ...clean, can_merge: false, conflicts: ['a'] }, false, /conflicts/],
  ['no manifest', { ...clean, manifest: { valid: false, issues: [], blocks: true } }, false, /svc\.yaml/],
  [
    'a manifest as invalid as the base',
    { ...clean, manifest: { valid: false, issues: [], blocks: false } },
    true,
    /not valid, as on the base/,
  ],
  ['nothing', { ...clean, is_up_to_date: true }, false, /nothing to merge/],
])('%s', (_, preview, can_merge, words) => {
  expect(mergeVerdict(preview)).toEqual({ can_merge, words: expect.stringMatching(words) })
})
