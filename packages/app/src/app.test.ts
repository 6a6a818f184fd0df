import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { looksHashed } from './hashed-name.ts'
import { labelsOf, urlOf } from './label.ts'
import { mayView, modeOf, type Viewer } from './may-view.ts'
import type { AppEntry, AppPlatform } from './app-config.ts'
import { resolveConfig, sourceFolder } from './resolve-config.ts'
import { accessModes, openReleases, releaseMachine, rolloutMachine } from './states.ts'

const files = { name: 'files', processes: false, images: false }
const entry: AppEntry = {
  name: 'site',
  type: 'static',
  ...{ path: null, root: null, output_dir: null, install_command: null, build_command: null },
  ...{ spa: false, command: null, port: null, dockerfile: null, image: null, readiness_path: null },
  ...{ idle_timeout_seconds: null, monthly_budget_usd: null, env: {}, secrets: {} },
  resources: { cpu: null, memory_gb: null, disk_gb: null },
}
const platformOf = (
  provider: typeof files,
  max: AppPlatform['max'] = { cpu: 4, memory_gb: 8, disk_gb: null },
) => ({ provider, max })
const facts = { known_secrets: new Set(['KEY']), has_start: true, preview_secrets: null }
const resolve = (more: Partial<AppEntry>, provider = files) =>
  resolveConfig({ ...entry, ...more }, platformOf(provider), facts)
const issuesOf = (more: Partial<AppEntry>, provider = files) =>
  resolve(more, provider).issues.map(({ path, severity }) => `${severity} ${path}`)

describe('an entry', () => {
  test.each<[Partial<AppEntry>, string]>([
    [{}, ''],
    [{ path: './site/' }, 'site'],
    [{ root: 'web' }, 'web'],
    [{ root: 'web', output_dir: 'out' }, 'web/out'],
    [{ root: 'web', build_command: 'make' }, 'web/dist'],
  ])('%j ships the folder %j', (more, folder) => {
    expect(resolve(more).config.folder).toBe(folder)
  })

  test.each<[Partial<AppEntry>, string[]]>([
    [{}, []],
    [{ type: 'bundle' }, ['error apps.site.type']],
    [{ type: 'oci_image' }, ['error apps.site.type']],
    [{ path: 'a', output_dir: 'b' }, ['error apps.site.path']],
    [{ build_command: 'make' }, ['error apps.site.build_command']],
    [{ env: { SVC_TOKEN: 'x' } }, ['error apps.site.env.SVC_TOKEN']],
    [{ secrets: { KEY: 'KEY' } }, ['warning apps.site.secrets']],
  ])('%j has the issues %j', (more, issues) => {
    expect(issuesOf(more)).toEqual(issues)
  })

  test.each<[Partial<AppEntry>, string | null]>([
    [{ type: 'oci_image', image: 'x' }, null],
    [{ type: 'dockerfile', dockerfile: 'apps/api/Dockerfile' }, 'apps/api'],
    [{ type: 'dockerfile', dockerfile: 'apps/api/Dockerfile', root: '.' }, ''],
    [{ type: 'bundle', root: 'api', install_command: 'npm ci', output_dir: 'out' }, 'api'],
    [{ type: 'bundle', root: 'api' }, 'api'],
    [{ path: 'site' }, 'site'],
  ])('%j is anew when %j changes', (more, folder) => {
    expect(sourceFolder({ ...entry, ...more })).toBe(folder)
  })

  test('a default is never more than the operator gives, and what is asked for is refused with the number', () => {
    const processes = { ...files, processes: true }
    const bundle = { ...entry, type: 'bundle' as const }
    const max = { cpu: 1, memory_gb: 1, disk_gb: null }
    const { config, issues } = resolveConfig(bundle, platformOf(processes, max), facts)
    expect([config.resources, issues]).toEqual([{ cpu: 1, memory_gb: 1, disk_gb: 10 }, []])
    expect(
      resolve({ type: 'bundle', resources: { cpu: 5, memory_gb: null, disk_gb: null } }, processes).issues,
    ).toEqual([
      {
        path: 'apps.site.resources.cpu',
        message: 'asks for 5, and this platform gives at most 4 (SVC_APPS_MAX_CPU)',
        severity: 'error',
      },
    ])
  })

  test('a provider that runs programs takes commands and bundles', () => {
    const provider = { ...files, processes: true }
    expect(issuesOf({ type: 'bundle', build_command: 'make' }, provider)).toEqual([])
    expect(issuesOf({ type: 'dockerfile' }, provider)).toEqual(['error apps.site.type'])
    expect(issuesOf({ type: 'dockerfile' }, { ...provider, images: true })).toEqual([])
  })
})

describe('an address', () => {
  const id = '0197a6b0-1111-7222-8333-444455556666'
  test('is told by the app, the project and the change request', () => {
    expect(labelsOf({ app: 'my_site', project_slug: 'shop', cr_number: null, id })[0]).toBe('my-site--shop')
    expect(labelsOf({ app: 'site', project_slug: 'shop', cr_number: 7, id })[0]).toBe('site--shop--cr7')
    expect(urlOf('http://localhost:7703', 'site--shop')).toBe('http://site--shop.localhost:7703')
  })

  test('always fits into a host name', () => {
    const slug = fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,120}$/)
    fc.assert(
      fc.property(slug, slug, fc.uuid(), (app, project_slug, one) => {
        for (const label of labelsOf({ app, project_slug, cr_number: null, id: one }))
          expect(label).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/)
      }),
    )
  })
})

describe('who may look', () => {
  const person = (more: object): Viewer => ({ reads: false, writes: false, listed: false, ...more })
  const viewers: readonly (readonly [string, Viewer])[] = [
    ['a stranger', null],
    ['a visitor with the password', 'password'],
    ['a reader', person({ reads: true })],
    ['a listed person', person({ listed: true })],
    ['an editor', person({ reads: true, writes: true })],
  ]
  test.each([
    ['private', ['an editor']],
    ['project', ['a reader', 'an editor']],
    ['restricted', ['a listed person', 'an editor']],
    ['public', viewers.map(([name]) => name)],
    ['password', ['a visitor with the password', 'an editor']],
  ] as const)('%s: %j', (mode, allowed) => {
    expect(viewers.filter(([, viewer]) => mayView(mode, viewer)).map(([name]) => name)).toEqual(allowed)
  })

  test('a preview is never open to strangers', () => {
    for (const mode of accessModes) expect(mayView(modeOf(mode, 'preview'), null)).toBe(false)
    expect(modeOf('public', 'production')).toBe('public')
  })
})

test.each([
  ['assets/app-3f9a1c2e.js', true],
  ['index.B2xq81Za.css', true],
  ['chunk-BPRJ-1a2b3c4d.js.map', true],
  ['app.js', false],
  ['app-component.js', false],
  ['report-20261127.pdf', false],
])('%s is named by its bytes: %s', (path, hashed) => {
  expect(looksHashed(path)).toBe(hashed)
})

test('a release ends in three ways, and is worked on before that', () => {
  expect(openReleases).toEqual(['queued', 'validating', 'building', 'provisioning', 'checking'])
  for (const end of ['ready', 'failed', 'cancelled'] as const)
    for (const event of releaseMachine.events) expect(releaseMachine.accepts(end, event)).toBe(false)
  expect(rolloutMachine.from('fail')).toEqual(['pending', 'starting'])
})
