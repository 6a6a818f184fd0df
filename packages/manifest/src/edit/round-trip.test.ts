import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readManifest } from '../read-manifest.ts'
import { readYaml } from '../source/read-yaml.ts'
import { runs, timeout } from '../testing/runs.ts'
import { editManifest } from './edit-manifest.ts'

const numRuns = runs(20)

/** A manifest as people lay it out: any columns, comments anywhere, any quotes, flow or block entries, either line end. */
const layout = fc.record({
  column: fc.constantFrom(0, 2, 4),
  gap: fc.constantFrom(' ', '   '),
  quote: fc.constantFrom('', "'", '"'),
  comment: fc.constantFrom('', ' # why', '   # a: b, [c'),
  between: fc.constantFrom('', '\n', '# next\n', '\n\n    # odd column\n'),
  flow: fc.boolean(),
  tail: fc.constantFrom('', '# end\n', 'env:\n  optional: [KEY]   # kept\n', '\n\n'),
  eol: fc.constantFrom('\n', '\r\n'),
  slugs: fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/), { minLength: 2, maxLength: 5 }),
})

type Layout = typeof layout extends fc.Arbitrary<infer Value> ? Value : never

function written({ column, gap, quote, comment, between, flow, tail, eol, slugs }: Layout): string {
  const margin = ' '.repeat(column)
  const keys = ' '.repeat(column + 1 + gap.length)
  const entries = slugs.map((slug, index) => {
    const q = (text: string) => `${quote}${text}${quote}`
    if (flow && index % 2 === 1) {
      return `${margin}-${gap}{ slug: ${q(slug)}, type: cron, prompt: x, cron: 0 0 0 * * * }${comment}\n`
    }
    return `${margin}-${gap}slug: ${q(slug)}${comment}
${keys}type:  cron
${keys}prompt: |
${keys}  One
${keys}    two # no comment
${keys}cron: ${q('0 0 0 * * *')}${comment}
`
  })
  const text = `# first\nsvc_version: 2\ndefault_agent: a\nagents: { a: {} }${comment}\ntriggers:${comment}\n${entries.join(between)}${tail}`
  return text.replaceAll('\n', eol)
}

const slugsOf = (text: string) =>
  readManifest({ path: 'svc.yaml', text }).triggers.map((trigger) => trigger.slug)
const words = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constantFrom('a\nb\n', ' # ', 'x: y', '- z', '{{ body.x }}', "it's", '"'),
)
const added = fc.record({
  slug: fc.constant('zz-new'),
  type: fc.constant('cron'),
  prompt: words,
  cron: fc.constant('0 0 1 * * *'),
})

describe('an edit and its opposite leave the file as it was, byte for byte', { timeout }, () => {
  test('add and remove', () => {
    fc.assert(
      fc.property(layout, added, (how, trigger) => {
        const before = written(how)
        const after = editManifest(before, { kind: 'add_trigger', trigger })
        expect(slugsOf(after)).toEqual([...how.slugs, 'zz-new'])
        expect(editManifest(after, { kind: 'remove_trigger', slug: 'zz-new' })).toBe(before)
      }),
      { numRuns },
    )
  })

  test('set a field, and take it away again', () => {
    fc.assert(
      fc.property(layout, fc.nat(), words, (how, at, value) => {
        const before = written(how)
        const slug = how.slugs[at % how.slugs.length] ?? ''
        const after = editManifest(before, { kind: 'change_trigger', slug, changes: { note: value } })
        expect(editManifest(after, { kind: 'change_trigger', slug, changes: { note: null } })).toBe(before)
      }),
      { numRuns },
    )
  })

  test('change a value on its line, and change it back', () => {
    fc.assert(
      fc.property(layout, fc.nat(), fc.constantFrom('0 30 9 * * 1-5', '0 15 * * * *'), (how, at, cron) => {
        const before = written(how)
        const slug = how.slugs[at % how.slugs.length] ?? ''
        const after = editManifest(before, { kind: 'change_trigger', slug, changes: { cron } })
        const back = editManifest(after, { kind: 'change_trigger', slug, changes: { cron: '0 0 0 * * *' } })
        expect(readYaml(back).data).toEqual(readYaml(before).data)
        // In a flow entry a value is written in JSON's quotes, which a plain one did not have.
        if (!how.flow) expect(back).toBe(before)
      }),
      { numRuns },
    )
  })

  test('disable and enable keep every line that was there', () => {
    fc.assert(
      fc.property(layout, fc.nat(), (how, at) => {
        const before = written(how)
        const slug = how.slugs[at % how.slugs.length] ?? ''
        const off = editManifest(before, { kind: 'set_enabled', slug, enabled: false })
        const on = editManifest(off, { kind: 'set_enabled', slug, enabled: true })
        const enabled = (text: string) =>
          readManifest({ path: 'svc.yaml', text }).triggers.map((trigger) => trigger.enabled)
        expect(enabled(off)).toEqual(how.slugs.map((one) => one !== slug))
        expect(enabled(on)).toEqual(how.slugs.map(() => true))
        expect(editManifest(off, { kind: 'change_trigger', slug, changes: { enabled: null } })).toBe(before)
      }),
      { numRuns },
    )
  })
})

test('removing a trigger takes its own lines and no others', { timeout }, () => {
  fc.assert(
    fc.property(layout, fc.nat(), (how, at) => {
      const before = written(how)
      const gone = how.slugs[at % how.slugs.length] ?? ''
      const after = editManifest(before, { kind: 'remove_trigger', slug: gone })
      expect(slugsOf(after)).toEqual(how.slugs.filter((slug) => slug !== gone))
      const lines = before.split('\n')
      let next = 0
      for (const line of after.split('\n')) {
        const found = lines.indexOf(line, next)
        expect(found).toBeGreaterThanOrEqual(next)
        next = found + 1
      }
    }),
    { numRuns },
  )
})

test('a series of edits holds exactly the triggers that were asked for', { timeout }, () => {
  const step = fc.record({
    kind: fc.constantFrom('add', 'remove', 'off', 'on', 'prompt'),
    at: fc.nat(),
    value: words,
  })
  fc.assert(
    fc.property(layout, fc.array(step, { maxLength: 8 }), (how, steps) => {
      let text = written(how)
      let expected = how.slugs.map((slug) => ({ slug, enabled: true, prompt: 'One\n  two # no comment\n' }))
      for (const [index, { kind, at, value }] of steps.entries()) {
        const slug = expected[at % Math.max(1, expected.length)]?.slug
        if (kind === 'add') {
          const fresh = `zz-${index}`
          const trigger = { slug: fresh, type: 'cron', prompt: value, cron: '0 0 0 * * *' }
          text = editManifest(text, { kind: 'add_trigger', trigger })
          expected = [...expected, { slug: fresh, enabled: true, prompt: value }]
        } else if (slug === undefined) {
          continue
        } else if (kind === 'remove') {
          text = editManifest(text, { kind: 'remove_trigger', slug })
          expected = expected.filter((one) => one.slug !== slug)
        } else if (kind === 'prompt') {
          text = editManifest(text, { kind: 'change_trigger', slug, changes: { prompt: value } })
          expected = expected.map((one) => (one.slug === slug ? { ...one, prompt: value } : one))
        } else {
          text = editManifest(text, { kind: 'set_enabled', slug, enabled: kind === 'on' })
          expected = expected.map((one) => (one.slug === slug ? { ...one, enabled: kind === 'on' } : one))
        }
      }
      const found = readManifest({ path: 'svc.yaml', text }).triggers
      expect(found.map(({ slug, enabled }) => ({ slug, enabled }))).toEqual(
        expected.map(({ slug, enabled }) => ({ slug, enabled })),
      )
      for (const { slug, prompt } of expected.filter((one) => !one.prompt.startsWith('One\n')))
        expect(found.find((one) => one.slug === slug)?.prompt).toBe(prompt)
    }),
    { numRuns },
  )
})
