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

const up = '../../'
const importing = String.raw`(?:from |import |import\()'`
const throughTheWall = new RegExp(`${importing}(\\.\\./)+(packages|apps)/`)

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
      const isTest = file.includes('.test.') || file.includes('/testing/')
      if (!isTest) for (const imported of roomsOf(text)) expect(allowed, file).toContain(imported)
      expect(text, file).not.toMatch(throughTheWall)
    }
  })

  test.each([
    [`import { a } from '@svc/db'`, ['db'], false],
    [`export * from '@svc/db/channels'`, ['db'], false],
    [`const { a } = await import('@svc/change-request/states')`, ['change-request'], false],
    [`import '@svc/db'`, ['db'], false],
    [`import { a } from '${up}packages/db/src/index.ts'`, [], true],
    [`await import('${up}apps/api/src/index.ts')`, [], true],
    [`import { a } from './db.ts'`, [], false],
  ])('%s is seen', (text, rooms, isThrough) => {
    expect([roomsOf(text), throughTheWall.test(text)]).toEqual([rooms, isThrough])
  })
})

/** The packages that a source imports, at once or when it runs. */
function roomsOf(text: string): string[] {
  return [...text.matchAll(new RegExp(`${importing}@svc/([a-z-]+)[/a-z-]*'`, 'g'))].map(
    ([, room = '']) => room,
  )
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file))
}
