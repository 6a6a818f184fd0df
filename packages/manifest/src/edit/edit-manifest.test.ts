import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readManifest } from '../read-manifest.ts'
import { fixture } from '../testing/fixtures.ts'
import { runs, timeout } from '../testing/runs.ts'
import { editManifest } from './edit-manifest.ts'
import type { ManifestEdit } from './edit-manifest.ts'

const head = 'svc_version: 2\ndefault_agent: default\nagents: { default: {} }\n'
const block = `${head}
# Before.
triggers: # the list
    # first
    -   slug: "one" # its name
        type:   cron
        prompt: |
          Two
          lines
        cron: '0 0 0 * * *'   # midnight

    # second
    -   slug: two
        type: webhook
        prompt: >-
          folded
          text
        secretEnv: KEY
        filter:
          body.action: opened
          body.kind: x
# After.
env:
  optional: [ KEY ] # odd   spacing
`
const flow = `${head}triggers: [ { slug: one, type: cron, prompt: x, cron: 0 0 0 * * * }, {slug: two, type: webhook, prompt: y, secret_env: KEY} ] # end\n`

const slugs = (text: string) =>
  readManifest({ path: 'svc.yaml', text }).triggers.map((trigger) => trigger.slug)
const trigger = (text: string, slug: string) =>
  readManifest({ path: 'svc.yaml', text }).triggers.find((one) => one.slug === slug)

/** The text that an edit took away and the text that it put in its place. */
function difference(before: string, after: string): { readonly removed: string; readonly added: string } {
  let start = 0
  while (start < before.length && before[start] === after[start]) start++
  let end = 0
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end))
    end++
  return { removed: before.slice(start, before.length - end), added: after.slice(start, after.length - end) }
}

describe('an edit changes its own bytes and no others', () => {
  const change = (slug: string, changes: Record<string, unknown>): ManifestEdit => ({
    kind: 'change_trigger',
    slug,
    changes,
  })

  test.each<[string, ManifestEdit, string, string]>([
    ['a value in single quotes', change('one', { cron: '0 0 1 * * *' }), '0', '1'],
    ['a value in double quotes', change('one', { slug: 'uno' }), 'one', 'uno'],
    ['a plain value', change('two', { type: 'cron' }), 'webhook', 'cron'],
    ['a value under its alias', change('two', { secret_env: 'OTHER' }), 'KEY', 'OTHER'],
    ['a key that is new', change('one', { model: 'a/b' }), '', '        model: a/b\n'],
    ['a key taken away', change('one', { cron: null }), "        cron: '0 0 0 * * *'   # midnight\n", ''],
    [
      'enabled set to false',
      { kind: 'set_enabled', slug: 'two', enabled: false },
      '',
      '        enabled: false\n',
    ],
  ])('%s', (_, edit, removed, added) => {
    const after = editManifest(block, edit)
    const found = difference(block, after)
    expect(after).not.toBe(block)
    expect([found.removed.trim(), found.added.trim()]).toEqual([removed.trim(), added.trim()])
  })

  test('text of several lines becomes a block, and a block becomes a line', () => {
    const after = editManifest(block, change('one', { prompt: 'Three\n  lines\n\nof text\n' }))
    expect(after).toContain(
      '        prompt: |\n          Three\n            lines\n\n          of text\n        cron:',
    )
    expect(editManifest(after, change('one', { prompt: 'One line' }))).toContain(
      '        prompt: One line\n        cron:',
    )
  })

  test('a mapping is written anew under its key', () => {
    const after = editManifest(block, change('two', { filter: { 'body.action': 'closed' } }))
    expect(after).toContain('        filter:\n          body.action: closed\n# After.')
  })

  test('a trigger is added after the last one, in the columns of the list', () => {
    const after = editManifest(block, {
      kind: 'add_trigger',
      trigger: { slug: 'three', type: 'cron', prompt: 'x', cron: '0 0 0 * * *' },
    })
    expect(difference(block, after)).toEqual({
      removed: '',
      added: '    - slug: three\n      type: cron\n      prompt: x\n      cron: 0 0 0 * * *\n',
    })
  })

  test('a trigger is removed with its lines, the comment before it stays', () => {
    const after = editManifest(block, { kind: 'remove_trigger', slug: 'one' })
    expect(slugs(after)).toEqual(['two'])
    expect(after).toContain('triggers: # the list\n    # first\n\n    # second\n    -   slug: two\n')
    expect(editManifest(after, { kind: 'remove_trigger', slug: 'two' })).toContain(
      'triggers: [] # the list\n',
    )
  })

  test('flow style stays flow style', () => {
    const added = editManifest(flow, {
      kind: 'add_trigger',
      trigger: { slug: 'three', type: 'cron', prompt: 'x', cron: '0 0 0 * * *' },
    })
    expect(added).toContain('secret_env: KEY}, {"slug":"three",')
    expect(editManifest(flow, { kind: 'remove_trigger', slug: 'one' })).toContain('triggers: [ {slug: two,')
    expect(editManifest(flow, { kind: 'remove_trigger', slug: 'two' })).toContain('0 0 0 * * * } ] # end')
    expect(editManifest(flow, change('one', { prompt: 'z', model: 'a/b' }))).toContain(
      'prompt: "z", cron: 0 0 0 * * *, model: "a/b" }',
    )
    expect(editManifest(flow, change('two', { secret_env: null }))).toContain('prompt: y} ]')
  })
})

test('a connector is added to its list, which may be the first, and removed from it', () => {
  const connector = { slug: 'docs', provider: 'mcp', url: 'https://mcp.example.com/mcp' }
  const added = editManifest(block, { kind: 'add_connector', connector })
  expect(difference(block, added)).toEqual({
    removed: '',
    added: '\nconnectors:\n  - slug: docs\n    provider: mcp\n    url: https://mcp.example.com/mcp\n',
  })
  expect(() => editManifest(added, { kind: 'add_connector', connector })).toThrow(
    'svc.yaml has a connector `docs` already',
  )
  const more = editManifest(added, { kind: 'add_connector', connector: { ...connector, slug: 'more' } })
  expect(editManifest(more, { kind: 'remove_connector', slug: 'more' })).toBe(added)
  expect(() => editManifest(block, { kind: 'remove_connector', slug: 'docs' })).toThrow(
    'svc.yaml has no connector `docs`',
  )
})

describe('the first trigger', () => {
  const edit: ManifestEdit = {
    kind: 'add_trigger',
    trigger: { slug: 'a', type: 'cron', prompt: 'x', cron: '0 0 0 * * *' },
  }

  test.each([
    ['no list', head, `${head}\ntriggers:\n  - slug: a\n`],
    ['no list and no last line break', head.trimEnd(), `${head}\ntriggers:\n  - slug: a\n`],
    ['an empty list', `${head}triggers: [] # none\nenv: {}\n`, `${head}triggers: # none\n  - slug: a\n`],
    ['a list in the last line', `${head}triggers: []`, `${head}triggers:\n  - slug: a\n`],
  ])('%s', (_, text, start) => {
    const after = editManifest(text, edit)
    expect(after.startsWith(start)).toBe(true)
    expect(slugs(after)).toEqual(['a'])
  })

  test('in a manifest that is one flow mapping', () => {
    expect(slugs(editManifest('{svc_version: 2, default_agent: a, agents: {a: {}}}', edit))).toEqual(['a'])
  })
})

describe('an edit that changes nothing returns the same text', () => {
  test.each<ManifestEdit>([
    { kind: 'set_enabled', slug: 'one', enabled: true },
    { kind: 'change_trigger', slug: 'one', changes: { cron: '0 0 0 * * *', model: null } },
    {
      kind: 'change_trigger',
      slug: 'two',
      changes: { secret_env: 'KEY', filter: { 'body.kind': 'x', 'body.action': 'opened' } },
    },
  ])('%j', (edit) => {
    expect(editManifest(block, edit)).toBe(block)
  })

  test('a word that means the same as the new value', () => {
    const text = `${head}triggers: [{ slug: one, type: cron, prompt: x, cron: 0 0 0 * * *, enabled: 'Off' }]\n`
    expect(editManifest(text, { kind: 'set_enabled', slug: 'one', enabled: false })).toBe(text)
    expect(
      trigger(editManifest(text, { kind: 'set_enabled', slug: 'one', enabled: true }), 'one')?.enabled,
    ).toBe(true)
  })
})

test('line endings and the byte order mark stay', () => {
  const text = `\ufeff${block.replaceAll('\n', '\r\n')}`
  const after = editManifest(text, {
    kind: 'add_trigger',
    trigger: { slug: 'x', type: 'cron', prompt: 'a\nb', cron: '0 0 0 * * *' },
  })
  expect(after.startsWith('\ufeff')).toBe(true)
  expect(after.replaceAll('\r\n', '')).not.toContain('\n')
  expect(trigger(after, 'x')?.prompt).toBe('a\nb')
})

describe('refusals', () => {
  test.each<[string, string, ManifestEdit]>([
    ['not_found', block, { kind: 'remove_trigger', slug: 'ghost' }],
    ['not_found', head, { kind: 'set_enabled', slug: 'one', enabled: true }],
    ['conflict', block, { kind: 'add_trigger', trigger: { slug: 'one' } }],
    ['MANIFEST_INVALID', 'a: [', { kind: 'remove_trigger', slug: 'one' }],
    ['MANIFEST_INVALID', '', { kind: 'remove_trigger', slug: 'one' }],
    [
      'conflict',
      `${head}a: &t [{ slug: one, enabled: false }]\ntriggers: *t\n`,
      { kind: 'remove_trigger', slug: 'one' },
    ],
  ])('%s', (code, text, edit) => {
    expect(() => editManifest(text, edit)).toThrow(expect.objectContaining({ code }))
  })
})

test(
  'any value can be set on any trigger of a real manifest, and reads back as it was given',
  { timeout },
  () => {
    const text = fixture('valid', 'everything.yaml')
    const value = fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        'a\n',
        '\na',
        ' a\n  b\n\n',
        '- a',
        '#',
        "'",
        '"',
        ': ',
        'null',
        '1',
        '|',
        '\t',
        'a\r\nb',
      ),
    )
    const known = slugs(text)
    fc.assert(
      fc.property(
        fc.constantFrom(...known),
        fc.constantFrom('prompt', 'name', 'extra'),
        value,
        (slug, key, given) => {
          fc.pre(given !== '')
          const after = editManifest(text, { kind: 'change_trigger', slug, changes: { [key]: given } })
          const back = editManifest(after, { kind: 'change_trigger', slug, changes: { [key]: given } })
          expect(back).toBe(after)
          expect(slugs(after)).toEqual(known)
          for (const line of text.split('\n').filter((one) => one.includes('#')))
            expect(after).toContain(line)
        },
      ),
      { numRuns: runs(30) },
    )
  },
)
