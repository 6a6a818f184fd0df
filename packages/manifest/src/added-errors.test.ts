import { expect, test } from 'vitest'
import { addedErrors } from './added-errors.ts'
import { judge } from './judge.ts'

const issuesOf = (triggers: readonly string[], more = '') =>
  judge({
    files: {
      'svc.yaml': `svc_version: 2\ndefault_agent: a\nagents: { a: {} }\n${more}triggers:\n${triggers.map((one) => `  - { ${one} }\n`).join('')}`,
    },
  }).issues
const cron = (slug: string, expression = '0 0 0 * * *') =>
  `slug: ${slug}, type: cron, prompt: x, cron: '${expression}'`
const broken = cron('broken', '* * *')
const added = (before: readonly string[], after: readonly string[], more = '') =>
  addedErrors(issuesOf(before), issuesOf(after, more)).map(({ path }) => path)

test('an error in another place of its list is no other error', () => {
  expect(added([cron('a'), cron('b'), broken], [broken, cron('b')])).toEqual([])
  expect(added([broken], [cron('a'), cron('b'), broken])).toEqual([])
  expect(added([cron('x'), cron('x')], [cron('a'), cron('x'), cron('b'), cron('x')])).toEqual([])
})

test('another error, or the same once more, is added', () => {
  expect(added([broken], [broken], 'channels: []\n')).toEqual(['channels'])
  expect(added([broken], [broken, cron('c', '* * *')])).toEqual(['triggers[1].cron'])
  expect(added([broken], [cron('broken', '* * * *')])).toEqual(['triggers[0].cron'])
  expect(added([cron('a')], [broken])).toEqual(['triggers[0].cron'])
})

test('what is repaired adds nothing, and warnings never count', () => {
  expect(added([broken], [cron('fixed')])).toEqual([])
  expect(added([broken], [`${cron('a')}, run: x`])).toEqual([])
})
