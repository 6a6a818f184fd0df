import { describe, expect, test } from 'vitest'
import { judge } from './judge.ts'
import { readManifest } from './read-manifest.ts'
import { propertiesOf } from './schema/described.ts'
import { manifestSections } from './schema/descriptions.ts'
import { manifestJsonSchema } from './schema/json-schema.ts'
import { readYaml } from './source/read-yaml.ts'
import { asMarks, fixture, fixtures } from './testing/fixtures.ts'

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

test.each(manifestSections)('everything.yaml has each key of $name that may be there', (section) => {
  const { data } = readYaml(fixture('valid', 'everything.yaml'))
  const written = new Set(valuesAt(data, section.path).flatMap((value) => Object.keys(Object(value))))
  const known = Object.entries(propertiesOf(manifestJsonSchema(), section))
  const allowed = known.flatMap(([key, schema]) => (isOfNoUse(Object(schema)) ? [] : [key]))
  expect(allowed.filter((key) => !written.has(key))).toEqual([])
})

/** A key that is not allowed, or deprecated. */
function isOfNoUse(schema: object): boolean {
  return 'deprecated' in schema || ('not' in schema && !('type' in schema))
}

/** The values that a part of the schema is about. */
function valuesAt(data: unknown, [first, ...rest]: readonly string[]): readonly unknown[] {
  if (first === undefined) return [data]
  const [key = '', ...others] = rest
  if (first === 'properties') return valuesAt(Object(data)[key], others)
  return Object.values<unknown>(Object(data)).flatMap((value) => valuesAt(value, rest))
}
