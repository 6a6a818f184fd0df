import { describe, expect, test } from 'vitest'
import { defaultCapabilities, manifestCapabilities } from '../capabilities.ts'
import { readManifest } from '../read-manifest.ts'
import { effectiveGrants, isAllowed, missingSecrets, sandboxTemplate, triggerAgent } from './lookups.ts'
import type { Manifest } from './manifest.ts'

function read(text: string, path: 'svc.yaml' | 'svc.toml' = 'svc.yaml'): Manifest {
  const { manifest } = readManifest({ path, text })
  if (manifest === null) throw new Error('the manifest cannot be read')
  return manifest
}

const manifest = read(`
svc_version: 2
default_agent: everyone
env: { required: [DATABASE_URL, API_KEY, DATABASE_URL], optional: [EXTRA] }
agents:
  everyone: { connectors: all, secrets: all, skills: all, svc_cli: all }
  nobody: { connectors: none, secrets: none, skills: none, svc_cli: none, sandbox: default }
  listed:
    connectors: [docs, ghost]
    secrets: [API_KEY]
    skills: [lint]
    svc_cli: [project.read, project.cr.open]
    connectors_required: [docs]
    sandbox: small
  silent: {}
  starred: { svc_cli: ['*'] }
  off: { enabled: false }
sandbox:
  default: big
  templates:
    - { slug: big, image: 'registry.test/big:1' }
    - { slug: small, dockerfile: .svc/Dockerfile }
connectors:
  - { slug: docs, provider: openapi }
  - { slug: tickets, provider: openapi }
triggers:
  - { slug: a, type: cron, cron: 0 0 0 * * *, prompt: x }
  - { slug: b, type: cron, cron: 0 0 0 * * *, prompt: x, agent: listed }
  - { slug: c, type: cron, cron: 0 0 0 * * *, prompt: x, agent: off }
`)
const everything = manifestCapabilities.filter((one) => one !== '*')
const agent = (name: string) => manifest.agents.find((one) => one.name === name) ?? null

describe('the agent of a trigger', () => {
  const of = (slug: string) => {
    const trigger = manifest.triggers.find((one) => one.slug === slug)
    return trigger && triggerAgent(manifest, trigger)?.name
  }

  test('is the one it names', () => expect(of('b')).toBe('listed'))
  test('is the default agent when it names none', () => expect(of('a')).toBe('everyone'))
  test('is nobody when it is disabled', () => expect(of('c')).toBeUndefined())
  test('is whoever a version 1 trigger names, when version 1 declares no agents', () => {
    const legacy = read(
      '[[triggers]]\nslug = "a"\ntype = "cron"\ncron = "0 0 0 * * *"\nprompt = "x"\n',
      'svc.toml',
    )
    expect(legacy.triggers.map((trigger) => triggerAgent(legacy, trigger))).toMatchObject([
      { name: 'default', secrets: 'all' },
    ])
  })
})

describe('the effective grants of an agent', () => {
  test('`all` is everything that the manifest declares, and every capability', () => {
    expect(effectiveGrants(manifest, 'everyone')).toEqual({
      connectors: ['docs', 'tickets'],
      connectors_required: [],
      secrets: 'all',
      skills: 'all',
      capabilities: everything,
    })
    expect(effectiveGrants(manifest)).toEqual(effectiveGrants(manifest, 'everyone'))
  })

  test('`none` is nothing', () => {
    expect(effectiveGrants(manifest, 'nobody')).toEqual({
      connectors: [],
      connectors_required: [],
      secrets: [],
      skills: [],
      capabilities: [],
    })
  })

  test('a list is what it lists, as far as it exists', () => {
    expect(effectiveGrants(manifest, 'listed')).toEqual({
      connectors: ['docs'],
      connectors_required: ['docs'],
      secrets: ['API_KEY'],
      skills: ['lint'],
      capabilities: ['project.read', 'project.cr.open'],
    })
  })

  test('silence grants nothing but the small set of capabilities', () => {
    const grants = effectiveGrants(manifest, 'silent')
    expect(grants).toMatchObject({ connectors: [], secrets: [], skills: [] })
    expect([...(grants?.capabilities ?? [])].sort()).toEqual([...defaultCapabilities].sort())
  })

  test('`*` is every capability', () => {
    expect(effectiveGrants(manifest, 'starred')?.capabilities).toEqual(everything)
  })

  test('in version 1 silence grants connectors, secrets and skills, and the same small set', () => {
    const legacy = read(
      'default_agent = "a"\n[agents.a]\n[[connectors]]\nslug = "docs"\nprovider = "openapi"\n',
      'svc.toml',
    )
    expect(effectiveGrants(legacy)).toMatchObject({ connectors: ['docs'], secrets: 'all', skills: 'all' })
    expect(effectiveGrants(legacy)?.capabilities).toHaveLength(defaultCapabilities.length)
  })

  test('a disabled or unknown agent has none', () => {
    expect(effectiveGrants(manifest, 'off')).toBeNull()
    expect(effectiveGrants(manifest, 'ghost')).toBeNull()
  })

  test('an allowlist allows', () => {
    expect([
      isAllowed('all', 'x'),
      isAllowed('none', 'x'),
      isAllowed(['x'], 'x'),
      isAllowed(['y'], 'x'),
    ]).toEqual([true, false, true, false])
  })
})

describe('the sandbox template of an agent', () => {
  test.each([
    ['that names one', 'listed', 'small'],
    ['that names none is the project’s default', 'everyone', 'big'],
    ['that names `default` is the built-in sandbox', 'nobody', undefined],
  ])('%s', (_, name, slug) => {
    expect(sandboxTemplate(manifest, agent(name))?.slug).toBe(slug)
  })

  test('without templates it is the built-in sandbox', () => {
    const plain = read('svc_version: 2\ndefault_agent: a\nagents: { a: {} }\n')
    expect(sandboxTemplate(plain, null)).toBeNull()
  })
})

describe('required names that are missing as secrets', () => {
  test('are listed once, in order; optional names are not', () => {
    expect(missingSecrets(manifest, [])).toEqual(['DATABASE_URL', 'API_KEY'])
    expect(missingSecrets(manifest, ['API_KEY'])).toEqual(['DATABASE_URL'])
    expect(missingSecrets(manifest, new Set(['API_KEY', 'DATABASE_URL', 'MORE']))).toEqual([])
  })

  test('without a manifest there are none', () => expect(missingSecrets(null, [])).toEqual([]))
})
