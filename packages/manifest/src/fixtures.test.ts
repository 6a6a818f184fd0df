import { describe, expect, test } from 'vitest'
import { judge } from './judge.ts'
import { readManifest } from './read-manifest.ts'
import { asMarks, fixtures } from './testing/fixtures.ts'

describe('every fixture has the issues that its marks say, at their lines', () => {
  test.each(fixtures('valid'))('valid/$name', ({ text, marked }) => {
    const verdict = judge({ files: { 'svc.yaml': text } })
    expect(asMarks(verdict.issues)).toEqual(marked)
    expect(verdict.valid).toBe(true)
  })

  test.each(fixtures('invalid'))('invalid/$name', ({ text, marked }) => {
    const verdict = judge({ files: { 'svc.yaml': text } })
    expect(asMarks(verdict.issues)).toEqual(marked)
    expect(verdict.valid).toBe(false)
  })

  test.each(fixtures('legacy'))('legacy/$name', ({ text, marked }) => {
    const { issues } = readManifest({ path: 'svc.toml', text })
    expect(asMarks(issues)).toEqual(marked)
  })
})

test('issues come in file order', () => {
  for (const { text } of [...fixtures('valid'), ...fixtures('invalid')]) {
    const lines = readManifest({ path: 'svc.yaml', text }).issues.map((issue) => issue.line ?? 0)
    expect(lines).toEqual([...lines].sort((a, b) => a - b))
  }
})
