import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = join(fileURLToPath(import.meta.url), '../../../../..')

/** Floor by floor: an import points down only, and the adapters of one floor know nothing of each other. */
const floors: readonly (readonly string[])[] = [
  ['errors', 'facts', 'files', 'machine', 'timing'],
  ['harness'],
  [
    'manifest',
    'change-request',
    'session',
    'trigger',
    'access',
    'models',
    'connector',
    'event',
    'app',
    'channel',
  ],
  [
    'db',
    'git',
    'queue',
    'sandbox',
    'vault',
    'boot',
    'objects',
    'contract',
    'outbound',
    'upstream',
    'slack',
    'matrix',
    'mail-channel',
  ],
  ['context', 'mail'],
  ['services', 'sdk', 'mcp'],
  [
    'backup',
    'identity',
    'operator',
    'platform',
    'spend',
    'connectors',
    'events',
    'notifications',
    'channels',
    'apps',
  ],
]
const apps = readdirSync(join(root, 'apps'))
const packages = readdirSync(join(root, 'packages'))
const floorOf = (name: string) =>
  apps.includes(name) ? floors.length : floors.findIndex((floor) => floor.includes(name))

/** These apps may know as much of the platform as any client does. */
const clients = ['cli', 'daemon', 'dashboard']
const forClients = [
  'sdk',
  'mcp',
  'contract',
  'manifest',
  'trigger',
  'app',
  'connector',
  'event',
  'channel',
  'errors',
  'facts',
  'files',
  'harness',
  'timing',
]

function inner(group: 'apps' | 'packages', name: string): string[] {
  const manifest: { dependencies?: Record<string, string> } = JSON.parse(
    readFileSync(join(root, group, name, 'package.json'), 'utf8'),
  )
  return Object.keys(manifest.dependencies ?? {})
    .filter((dependency) => dependency.startsWith('@svc/'))
    .map((dependency) => dependency.slice('@svc/'.length))
}

describe('layers', () => {
  test.each(packages)('packages/%s depends only on lower floors', (name) => {
    expect(floorOf(name), `${name} has no floor`).toBeGreaterThanOrEqual(0)
    for (const dependency of inner('packages', name)) {
      expect(floorOf(dependency), `${name} -> ${dependency}`).toBeLessThan(floorOf(name))
    }
  })

  test.each(apps.filter((name) => name !== 'standalone'))('apps/%s imports no app', (name) => {
    for (const dependency of inner('apps', name))
      expect(apps, `${name} -> ${dependency}`).not.toContain(dependency)
  })

  test.each(apps.filter((name) => clients.includes(name)))(
    'apps/%s knows the platform as a client does',
    (name) => {
      for (const dependency of inner('apps', name)) expect(forClients).toContain(dependency)
    },
  )

  test.each([
    ...packages.map((name) => ['packages', name] as const),
    ...apps.map((name) => ['apps', name] as const),
  ])('%s/%s imports what its package.json names, by package name', (group, name) => {
    const allowed = new Set([name, ...inner(group, name)])
    for (const file of sources(join(root, group, name, 'src'))) {
      const text = readFileSync(file, 'utf8')
      for (const [, imported = ''] of text.matchAll(/from '@svc\/([a-z-]+)(?:\/[a-z]+)?'/g)) {
        if (file.includes('.test.') || file.includes('/testing/')) continue
        expect(allowed, file).toContain(imported)
      }
      expect(text, file).not.toMatch(/from '(\.\.\/)+(packages|apps)\//)
    }
  })
})

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file))
}
