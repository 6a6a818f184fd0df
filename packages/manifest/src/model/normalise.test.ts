import { describe, expect, test } from 'vitest'
import { defaultAgentGrant } from '@svc/facts'
import { readManifest } from '../read-manifest.ts'
import { fixture } from '../testing/fixtures.ts'
import { agentFilePaths, grantedAgent } from './grants.ts'
import type { Manifest } from './manifest.ts'

const read = (path: 'svc.yaml' | 'svc.toml', text: string): Manifest => {
  const { manifest } = readManifest({ path, text })
  if (!manifest) throw new Error('no manifest')
  return manifest
}

describe('version 2', () => {
  const manifest = read('svc.yaml', fixture('valid', 'everything.yaml'))
  const trigger = (slug: string) => manifest.triggers.find((one) => one.slug === slug)
  const connector = (slug: string) => manifest.connectors.find((one) => one.slug === slug)

  test('an agent without keys is granted the small set, and nothing else', () => {
    expect(read('svc.yaml', fixture('valid', 'minimal.yaml')).agents).toEqual([
      {
        name: 'default',
        enabled: true,
        sandbox: null,
        connectors: 'none',
        secrets: 'none',
        skills: 'none',
        connectors_required: [],
        svc_cli: defaultAgentGrant,
        workspace: 'branch',
      },
    ])
  })

  test('grants are found by name, the default agent without one, nobody for a stranger or a disabled agent', () => {
    expect(grantedAgent(manifest)?.name).toBe('builder')
    expect(grantedAgent(manifest, 'reviewer')).toMatchObject({ svc_cli: 'none', workspace: 'read' })
    expect(grantedAgent(manifest, 'helper_2')?.svc_cli).toBe('all')
    expect(grantedAgent(manifest, 'constructor')).toBeNull()
    expect(grantedAgent(read('svc.yaml', fixture('valid', 'warnings.yaml')), 'off')).toBeNull()
  })

  test('each declared agent has its own file under config_dir', () => {
    expect(agentFilePaths(manifest)).toEqual([
      'tools/agentrt/agents/builder.md',
      'tools/agentrt/agents/reviewer.md',
      'tools/agentrt/agents/helper_2.md',
    ])
    expect(agentFilePaths(read('svc.yaml', fixture('valid', 'minimal.yaml')))).toEqual([
      '.svc/agentrt/agents/default.md',
    ])
  })

  test('connectors_personal is read as connectors_required', () => {
    const agents = read('svc.yaml', fixture('valid', 'warnings.yaml')).agents
    expect(agents[0]?.connectors_required).toEqual(['docs'])
  })

  test('defaults of a cron trigger', () => {
    expect(trigger('launch')).toEqual({
      slug: 'launch',
      name: 'launch',
      type: 'cron',
      prompt: 'go',
      agent: 'builder',
      model: null,
      enabled: true,
      session_mode: 'fresh',
      session_id: null,
      session_key: null,
      filter: {},
      overlap: 'allow',
      cron: null,
      run_at: '2030-01-31T09:00:00+01:00',
      timezone: 'UTC',
    })
  })

  test('aliases mean what their names mean', () => {
    expect(trigger('office')).toMatchObject({
      prompt: 'hello',
      agent: 'helper_2',
      enabled: false,
      session_mode: 'pinned',
      session_id: '6f0c1f4e-1111-4222-8333-444455556666',
      cron: '0 0 8-18 * * MON-FRI',
      run_at: null,
    })
    expect(trigger('later')).toMatchObject({ run_at: '2030-02-28T09:00' })
    expect(trigger('hook-old')).toMatchObject({ secret_env: 'HOOK_SECRET', session_key: '{{ body.thread }}' })
    expect(connector('rates-old')).toMatchObject({ base_url: 'https://old.example.test' })
  })

  test('session_mode is case-insensitive, keyed by a key alone, reuse on a monitor', () => {
    expect(trigger('nightly')?.session_mode).toBe('reuse')
    expect(trigger('hook-old')?.session_mode).toBe('keyed')
    expect(trigger('tail')?.session_mode).toBe('reuse')
  })

  test('a monitor polls at an interval or streams without one', () => {
    expect(trigger('disk')).toMatchObject({ mode: 'poll', interval: '30s', expect_event_within: '1d' })
    expect(trigger('tail')).toMatchObject({ mode: 'stream', interval: null, expect_event_within: null })
  })

  test('a connector has its rules as they are written', () => {
    expect(connector('rates')).toMatchObject({
      default_action: 'block',
      timeout_seconds: 5,
      idempotency_header: 'Idempotency-Key',
      oauth: { client_id: null, scopes: [] },
      inline: true,
      policies: [
        {
          match: 'post',
          action: 'require_approval',
          second_person: true,
          expires: '2h',
          when: [
            { path: 'body.amount', exists: true },
            { path: 'body.kind', equals: 'refund' },
            { path: 'body.to[]', in: ['shop', 5] },
            { path: 'path', matches: '/orders/*' },
          ],
        },
      ],
    })
  })

  test('connectors hold what their provider needs', () => {
    expect(connector('docs')).toEqual({
      slug: 'docs',
      name: 'Documents',
      provider: 'mcp',
      url: 'https://docs.example.test/mcp',
      transport: 'sse',
      authorization_strategy: 'user',
      auth: { type: 'bearer' },
      headers: { 'X-Team': 'shop' },
      policies: [
        {
          match: 'documents.delete*',
          action: 'require_approval',
          when: [],
          second_person: false,
          expires: '24h',
        },
        { match: 'documents.*', action: 'always_run', when: [], second_person: false, expires: '24h' },
      ],
      default_action: 'risk',
      timeout_seconds: 60,
      idempotency_header: null,
      oauth: { client_id: 'shop', scopes: ['read'] },
      inline: false,
    })
    expect(connector('mail')).toMatchObject({
      authorization_strategy: 'project',
      auth: null,
      headers: {},
      policies: [],
    })
  })

  test('sandbox templates and apps are whole', () => {
    expect(manifest.sandbox).toMatchObject({
      default: 'big',
      templates: [
        { slug: 'big', cpu: 8 },
        { slug: 'own', image: null },
      ],
    })
    expect(manifest.apps.map((app) => [app.name, app.type])).toEqual([
      ['site', 'static'],
      ['api', 'dockerfile'],
      ['cache', 'oci_image'],
      ['worker', 'bundle'],
    ])
  })
})

describe('version 1', () => {
  const manifest = read('svc.toml', fixture('legacy', 'full.toml'))

  test('an omitted connectors, secrets or skills is all', () => {
    expect(grantedAgent(manifest, 'builder')).toMatchObject({
      connectors: ['docs'],
      secrets: 'all',
      skills: 'all',
    })
    expect(grantedAgent(manifest, 'reviewer')).toMatchObject({ connectors: 'all', svc_cli: ['project.read'] })
  })

  test('an omitted svc_cli is the small set', () => {
    expect(grantedAgent(manifest, 'builder')?.svc_cli).toEqual(defaultAgentGrant)
  })

  test('triggers, env and config_dir are read from its own tables', () => {
    expect(manifest).toMatchObject({
      svc_version: 1,
      default_agent: 'builder',
      env: { required: ['DATABASE_URL'], optional: ['HOOK_SECRET'] },
      agentrt: { config_dir: '.opencode' },
      triggers: [
        { slug: 'nightly', prompt: 'Two\nlines', agent: 'builder' },
        { slug: 'launch', run_at: '2030-01-31T09:00:00.000Z' },
        { slug: 'hook', agent: 'anyone' },
      ],
    })
  })

  test('agents may be a list, and need not be declared at all', () => {
    expect(read('svc.toml', fixture('legacy', 'agent-list.toml')).agents).toMatchObject([
      { name: 'builder', skills: 'none' },
      { name: 'reviewer', skills: 'all' },
    ])
    expect(grantedAgent(read('svc.toml', ''))).toMatchObject({ name: 'default', connectors: 'all' })
  })
})
