import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isMapping } from '../raw.ts'
import { readYaml } from '../source/read-yaml.ts'
import { fixture, fixtures } from '../testing/fixtures.ts'
import { mutated } from '../testing/mutate.ts'
import { runs, timeout } from '../testing/runs.ts'
import { agentFileShape } from './agent-file.ts'
import { agentFileJsonSchema, manifestJsonSchema } from './json-schema.ts'
import { manifestShape } from './manifest.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false })
const schemaSays = ajv.compile(manifestJsonSchema())
const shapeSays = (data: unknown) => manifestShape.safeParse(data).success

describe('the JSON Schema and the validator give one verdict', () => {
  test.each([...fixtures('valid'), ...fixtures('invalid')])('$name', ({ text }) => {
    const { data } = readYaml(text)
    expect(schemaSays(data)).toBe(shapeSays(data))
  })

  test('on every entry of the invalid fixtures alone', () => {
    const { data: minimal } = readYaml(fixture('valid', 'minimal.yaml'))
    for (const { text } of fixtures('invalid')) {
      for (const one of aspects(readYaml(text).data)) {
        const data = { ...(isMapping(minimal) ? minimal : {}), ...one }
        expect([schemaSays(data), one]).toEqual([shapeSays(data), one])
      }
    }
  })

  test('on real manifests with something changed in them', { timeout }, () => {
    const { data } = readYaml(fixture('valid', 'everything.yaml'))
    fc.assert(
      fc.property(mutated(data), (changed) => {
        expect(schemaSays(changed)).toBe(shapeSays(changed))
      }),
      { numRuns: runs(300) },
    )
  })

  test.each([
    { permission: 'ask' },
    { permission: 'maybe' },
    { permission: { bash: { 'git *': 'allow' }, webfetch: 'deny' } },
    { permission: { webfetch: { x: 'deny' } } },
    { color: '#12ab9F', steps: 1 },
    { color: 'blue' },
    { steps: 0 },
    { options: [] },
  ])('on frontmatter %j', (data) => {
    expect(ajv.validate(agentFileJsonSchema(), data)).toBe(agentFileShape.safeParse(data).success)
  })
})

test('the schema is JSON Schema 2020-12 with the id it is given', () => {
  expect(manifestJsonSchema('https://svc.example.test/v1/schemas/manifest.json')).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://svc.example.test/v1/schemas/manifest.json',
    required: ['svc_version', 'default_agent', 'agents'],
  })
})

/** Each entry of each section by itself, so that one error cannot hide a disagreement about another. */
function aspects(data: unknown): readonly Record<string, unknown>[] {
  if (!isMapping(data)) return []
  return Object.entries(data).flatMap(([key, value]): readonly Record<string, unknown>[] => {
    if (Array.isArray(value)) return value.map((item: unknown) => ({ [key]: [item] }))
    if (!isMapping(value)) return [{ [key]: value }]
    return Object.entries(value).flatMap(([name, entry]) =>
      isMapping(entry)
        ? Object.entries(entry).map(([field, one]) => ({
            [key]: { [name]: { type: 'static', [field]: one } },
          }))
        : [{ [key]: { [name]: entry } }],
    )
  })
}
