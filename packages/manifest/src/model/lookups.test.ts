import { defaultAgentGrant } from '@svc/facts'
import { describe, expect, test } from 'vitest'
import { readManifest } from '../read-manifest.ts'
import { grantedAgent } from './grants.ts'
import { isAllowed, missingSecrets, sandboxTemplate, usableConnectors } from './lookups.ts'
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
  needy: { connectors_required: [tickets] }
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
const agent = (name: string) => manifest.agents.find((one) => one.name === name) ?? null

describe('what an agent is granted', () => {
  test('a trigger that names no agent has the default one', () =>
    expect(manifest.triggers.map((trigger) => grantedAgent(manifest, trigger.agent)?.name)).toEqual([
      'everyone',
      'listed',
      undefined,
    ]))

  test('silence grants nothing but the small set of capabilities', () =>
    expect(grantedAgent(manifest, 'silent')).toMatchObject({
      connectors: 'none',
      secrets: 'none',
      skills: 'none',
      svc_cli: defaultAgentGrant,
    }))

  test('in version 1 silence grants connectors, secrets and skills, and the same small set', () => {
    const legacy = read('default_agent = "a"\n[agents.a]\n', 'svc.toml')
    expect(grantedAgent(legacy)).toMatchObject({
      connectors: 'all',
      secrets: 'all',
      skills: 'all',
      svc_cli: defaultAgentGrant,
    })
  })

  test('version 1 did not have to declare its agents', () => {
    const legacy = read(
      '[[triggers]]\nslug = "a"\ntype = "cron"\ncron = "0 0 0 * * *"\nprompt = "x"\n',
      'svc.toml',
    )
    expect(legacy.triggers.map(({ agent }) => grantedAgent(legacy, agent))).toMatchObject([
      { name: 'default', secrets: 'all' },
    ])
  })

  test('a disabled or unknown agent is none', () => {
    expect(grantedAgent(manifest, 'off')).toBeNull()
    expect(grantedAgent(manifest, 'ghost')).toBeNull()
  })
})

describe('the connectors that an agent may use', () => {
  const usable = (name: string) => {
    const found = agent(name)
    return found && usableConnectors(manifest, found).map(({ slug }) => slug)
  }

  test('`all` is every one that the manifest declares', () =>
    expect(usable('everyone')).toEqual(['docs', 'tickets']))
  test('`none` is none', () => expect(usable('nobody')).toEqual([]))
  test('a list is what it lists, as far as it exists', () => expect(usable('listed')).toEqual(['docs']))
  test('one that it requires needs no second mention', () => expect(usable('needy')).toEqual(['tickets']))

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
