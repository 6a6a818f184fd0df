import fc from 'fast-check'
import { stringify } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { grantedAgent } from '../model/grants.ts'
import { readManifest } from '../read-manifest.ts'
import { runs, timeout } from '../testing/runs.ts'
import { migrate } from './migrate.ts'

const numRuns = runs(100)

const slug = fc
  .stringMatching(/^[a-z][a-z0-9_-]{0,8}$/)
  .filter((name) => name !== 'constructor' && name !== 'prototype')
const words = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constantFrom('one\ntwo\n', '# no comment', '{{ body.text }}'),
)
const allowlist = fc.constantFrom('all', 'none', ['docs'], [])
const agent = fc.record(
  {
    connectors: allowlist,
    secrets: allowlist,
    skills: allowlist,
    svc_cli: fc.constantFrom<string | string[]>('all', 'none', ['project.read', 'project.cr.open']),
    enabled: fc.boolean(),
    model: fc.constant('a/b'),
    temperature: fc.double({ min: 0, max: 1, noNaN: true }),
  },
  { requiredKeys: [] },
)
const common = fc.record(
  { session_key: words, name: words, sessionMode: fc.constantFrom('fresh', 'reuse'), enabled: fc.boolean() },
  { requiredKeys: [] },
)
const kind = fc.constantFrom<Record<string, string>>(
  { type: 'cron', schedule: '0 0 2 * * *', timezone: 'Europe/Berlin' },
  { type: 'cron', cron: '0 0 2 * * *' },
  { type: 'cron', runAt: '2030-01-31T09:00:00Z' },
  { type: 'webhook', secretEnv: 'HOOK_SECRET' },
  { type: 'monitor', run: 'df', mode: 'poll', interval: '1m' },
)
const trigger = fc
  .tuple(common, kind, words, fc.boolean())
  .map(([fields, own, text, alias]) => ({ ...fields, ...own, [alias ? 'prompt_template' : 'prompt']: text }))

const legacy = fc
  .record({
    agents: fc.dictionary(slug, agent, { maxKeys: 4 }),
    listed: fc.boolean(),
    triggers: fc.array(trigger, { maxLength: 5 }),
    slugs: fc.uniqueArray(slug, { minLength: 5, maxLength: 5 }),
    named: fc.constantFrom('none', 'agent', 'agent_name'),
    default_agent: fc.option(slug, { nil: undefined }),
  })
  .map(({ agents, listed, triggers, slugs, named, default_agent }) => {
    const names = Object.keys(agents)
    return {
      ...(default_agent !== undefined && { default_agent }),
      env: { optional: ['HOOK_SECRET'] },
      agents: listed ? Object.entries(agents).map(([name, fields]) => ({ name, ...fields })) : agents,
      connectors: [{ slug: 'docs', provider: 'openapi' }],
      triggers: triggers.map((fields, index) => ({
        slug: slugs[index] ?? '',
        ...fields,
        ...(named !== 'none' && { [named]: names[index % Math.max(1, names.length)] ?? 'someone' }),
      })),
    }
  })

describe('svc.yaml means what svc.toml meant', { timeout }, () => {
  test('triggers and grants are the same', () => {
    fc.assert(
      fc.property(legacy, (data) => {
        const toml = stringify(data)
        const before = readManifest({ path: 'svc.toml', text: toml })
        const { text } = migrate(toml)
        const after = readManifest({ path: 'svc.yaml', text: text ?? '' })
        const [old, fresh] = [before.manifest, after.manifest]
        if (old === null || fresh === null) throw new Error(`unreadable: ${toml}`)

        // Version 2 refuses a default agent that is disabled, and triggers without an agent rely on it.
        const refused = after.issues.filter((issue) => issue.severity === 'error').map((issue) => issue.path)
        const disabled = old.agents.some((one) => one.name === old.default_agent && !one.enabled)
        expect(refused).toEqual(disabled ? ['default_agent'] : [])
        if (!disabled) {
          expect(after.triggers).toEqual(before.triggers)
          expect(fresh.default_agent).toBe(old.default_agent)
        }
        for (const { name } of old.agents) expect(grantedAgent(fresh, name)).toEqual(grantedAgent(old, name))
        expect(fresh.env).toEqual(old.env)
        expect(fresh.connectors).toEqual(old.connectors)
      }),
      { numRuns },
    )
  })

  test('the same file gives the same text', () => {
    fc.assert(
      fc.property(legacy, (data) => {
        expect(migrate(stringify(data)).text).toBe(migrate(stringify(data)).text)
      }),
      { numRuns: 20 },
    )
  })
})
