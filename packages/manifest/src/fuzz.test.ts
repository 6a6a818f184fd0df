import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { judge } from './judge.ts'
import { manifestLimits } from './limits.ts'
import { readManifest } from './read-manifest.ts'
import { readYaml } from './source/read-yaml.ts'
import { fixture, fixtures } from './testing/fixtures.ts'
import { hostileFiles } from './testing/hostile.ts'
import { mutated } from './testing/mutate.ts'
import { isLongForm, runs, timeout } from './testing/runs.ts'

const numRuns = runs(20)

const own = '.svc/agentrt/agents/default.md'
const texts = [...fixtures('valid'), ...fixtures('invalid'), ...fixtures('legacy')].map(({ text }) => text)
const pieces = fc.constantFrom(
  '- ',
  ': ',
  '? ',
  '[',
  ']',
  '{',
  '}',
  ',',
  '&a ',
  '*a',
  '!x ',
  '!!str ',
  '|',
  '>',
  '"',
  "'",
  '\n',
  '\n  ',
  '\t',
  '#',
  '---\n',
  '...\n',
  '%YAML 1.1\n',
  '<<: ',
  '\0',
  '\ufeff',
  '\r',
  '\u2028',
  '__proto__',
  'constructor: ',
  '[[',
  '"""',
  '= ',
)

/** The slowest verdict in processor time, which a busy machine does not stretch; the long form tells it. */
const slowest = { ms: 0, size: 0 }
afterAll(() => {
  if (isLongForm) console.info(`slowest verdict: ${slowest.ms.toFixed(0)} ms for ${slowest.size} characters`)
})

function timed<Result>(text: string, run: () => Result): Result {
  const start = process.cpuUsage()
  const result = run()
  const ms = process.cpuUsage(start).user / 1000
  if (ms > slowest.ms) Object.assign(slowest, { ms, size: text.length })
  return result
}

/** A verdict on any input is a finished list of issues, and valid means that none of them is an error. */
function expectVerdict(text: string): void {
  for (const path of ['svc.yaml', 'svc.toml'] as const) {
    const { manifest, issues, triggers, trigger_errors } = timed(text, () => readManifest({ path, text }))
    const errors = issues.filter((issue) => issue.severity === 'error')
    expect(issues.length).toBeLessThanOrEqual(manifestLimits.issues + 1)
    for (const issue of issues) {
      expect(issue.message).not.toBe('')
      expect(issue.line).toBeGreaterThanOrEqual(1)
      expect(issue.column).toBeGreaterThanOrEqual(1)
    }
    expect(judge({ files: { [path]: text } }).valid).toBe(errors.length === 0)
    if (errors.length === 0) expect(manifest).not.toBeNull()
    if (errors.length === 0) expect(trigger_errors).toEqual([])
    expect(triggers).toEqual(manifest?.triggers ?? [])
  }
}

describe('every input gets a verdict', { timeout }, () => {
  test('random bytes', () => {
    const text = fc.uint8Array({ maxLength: 400 }).map((bytes) => new TextDecoder().decode(bytes))
    fc.assert(fc.property(text, expectVerdict), { numRuns })
  })

  test('random pieces of YAML and TOML', () => {
    const text = fc.array(fc.oneof(pieces, pieces, fc.string({ maxLength: 6 })), { maxLength: 60 })
    fc.assert(
      fc.property(
        text.map((parts) => parts.join('')),
        expectVerdict,
      ),
      { numRuns },
    )
  })

  test('real manifests with pieces put in, cut out and repeated', () => {
    const change = fc.record({
      at: fc.nat(),
      cut: fc.nat({ max: 12 }),
      put: fc.oneof(pieces, fc.string({ maxLength: 4 })),
    })
    const text = fc
      .tuple(fc.constantFrom(...texts), fc.array(change, { minLength: 1, maxLength: 4 }))
      .map(([start, changes]) =>
        changes.reduce((whole, { at, cut, put }) => {
          const from = at % (whole.length + 1)
          return whole.slice(0, from) + put + whole.slice(from + cut)
        }, start),
      )
    fc.assert(fc.property(text, expectVerdict), { numRuns })
  })

  test('real manifests with other values in them', () => {
    const data = readYaml(fixture('valid', 'everything.yaml')).data
    fc.assert(
      fc.property(
        mutated(data).map((changed) => stringify(changed)),
        expectVerdict,
      ),
      { numRuns },
    )
  })

  test('agent files of random pieces', () => {
    const parts = fc.array(fc.oneof(pieces, fc.constantFrom('---\n', 'mode: ', 'permission: ')), {
      maxLength: 40,
    })
    fc.assert(
      fc.property(parts, (file) => {
        const files = {
          'svc.yaml': fixture('valid', 'minimal.yaml'),
          agents: { [own]: `---\n${file.join('')}` },
        }
        const { valid, issues } = judge({ files })
        expect(valid).toBe(issues.every((issue) => issue.severity === 'warning'))
      }),
      { numRuns },
    )
  })
})

describe('hostile files end in a verdict', () => {
  test.each(hostileFiles(isLongForm ? 1 : 1 / 32))('$path: $name', ({ text }) => {
    expectVerdict(text)
  })
})
