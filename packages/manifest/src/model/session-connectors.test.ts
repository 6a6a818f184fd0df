import { expect, test } from 'vitest'
import { readManifest } from '../read-manifest.ts'
import { grantedAgent } from './grants.ts'
import { sessionConnectors } from './session-connectors.ts'

const connectors = `connectors:
  - { slug: open, provider: mcp, url: 'https://a.example.test' }
  - { slug: keyed, provider: http, base_url: 'https://b.example.test', auth: { type: bearer } }
  - { slug: app, provider: aggregator_a, app: mail }
`

function select(agent: string, bindings?: Record<string, { connection_id: string }>) {
  const text = `svc_version: 2\ndefault_agent: a\nagents:\n  a: { ${agent} }\n${connectors}`
  const { manifest } = readManifest({ path: 'svc.yaml', text })
  if (manifest === null) throw new Error('The manifest cannot be read')
  const found = grantedAgent(manifest, 'a')
  if (found === null) throw new Error('There is no such agent')
  const { connectors: selected, ...rest } = sessionConnectors(manifest, found, bindings)
  return { slugs: selected.map(({ slug, connection_id }) => `${slug}=${connection_id ?? ''}`), ...rest }
}

const one = { connection_id: 'c1' }

test.each<[string, Record<string, { connection_id: string }>, string[], string[], string[]]>([
  ['connectors: all', {}, ['open=', 'keyed=', 'app='], [], []],
  ['connectors: none', {}, [], [], []],
  ['enabled: true', {}, [], [], []],
  ['connectors: [app, open, ghost]', {}, ['open=', 'app='], [], []],
  ['connectors: all', { app: one }, ['open=', 'keyed=', 'app=c1'], [], []],
  ['connectors: [open]', { app: one }, ['open='], ['app'], []],
  ['connectors: all', { ghost: one }, ['open=', 'keyed=', 'app='], ['ghost'], []],
  [
    'connectors: all',
    JSON.parse('{"__proto__":{"connection_id":"x"}}'),
    ['open=', 'keyed=', 'app='],
    ['__proto__'],
    [],
  ],
  ['connectors: all, connectors_required: [open]', {}, ['open=', 'keyed=', 'app='], [], []],
  ['connectors: all, connectors_required: [keyed, app]', {}, ['open=', 'keyed=', 'app='], [], []],
  ['connectors: all, connectors_required: [keyed]', { keyed: one }, ['open=', 'keyed=c1', 'app='], [], []],
  ['connectors: [open], connectors_required: [keyed]', {}, ['open=', 'keyed='], [], []],
  ['connectors_required: [open]', {}, ['open='], [], []],
  ['connectors: all, connectors_required: [ghost]', {}, ['open=', 'keyed=', 'app='], [], ['ghost']],
  ['connectors: all, connectors_personal: [app]', {}, ['open=', 'keyed=', 'app='], [], []],
])('%s with %j', (agent, bindings, slugs, refused, undeclared) => {
  expect(select(agent, bindings)).toEqual({ slugs, refused, undeclared })
})
