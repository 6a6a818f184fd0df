import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { knownHarnesses, pinnedVersions } from './known/known.ts'

const root = join(import.meta.dirname, '..', 'locks')
const folders = readdirSync(root).flatMap((name) =>
  readdirSync(join(root, name)).map((version) => `${name}/${version}`),
)

interface Lock {
  readonly lockfileVersion: number
  readonly packages: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

interface Manifest {
  readonly private: boolean
  readonly dependencies: Readonly<Record<string, string>>
}

const read = (folder: string, file: string): unknown =>
  JSON.parse(readFileSync(join(root, folder, file), 'utf8'))

test('a lock stands for each pinned version', () => {
  const pinned = knownHarnesses.flatMap((known) =>
    pinnedVersions(known).map((version) => `${known.name}/${version}`),
  )
  expect(pinned).not.toEqual([])
  expect(folders.toSorted()).toEqual(pinned.toSorted())
})

describe.each(folders)('the lock of %s', (folder) => {
  const lock = read(folder, 'package-lock.json') as Lock
  const manifest = read(folder, 'package.json') as Manifest
  const packages = Object.entries(lock.packages).filter(([path]) => path !== '')

  test('holds its two files only', () => {
    expect(readdirSync(join(root, folder)).toSorted()).toEqual(['package-lock.json', 'package.json'])
  })

  test('is of exact versions, and fits its package.json', () => {
    expect(manifest.private).toBe(true)
    expect(lock.packages['']?.['dependencies']).toEqual(manifest.dependencies)
    for (const [name, version] of Object.entries(manifest.dependencies)) {
      expect(version).toMatch(/^\d+\.\d+\.\d+$/)
      expect(lock.packages[`node_modules/${name}`]?.['version']).toBe(version)
    }
    expect(Object.values(manifest.dependencies)[0]).toBe(folder.split('/')[1])
  })

  test('gives each package an integrity, and no address', () => {
    expect(lock.lockfileVersion).toBe(3)
    expect(packages.length).toBeGreaterThan(0)
    for (const [path, entry] of packages) {
      expect(entry, path).toMatchObject({ integrity: expect.stringMatching(/^sha512-[A-Za-z0-9+/]{86}==$/) })
      expect(entry, path).not.toHaveProperty('resolved')
      expect(entry, path).not.toHaveProperty('link')
    }
    expect(readFileSync(join(root, folder, 'package-lock.json'), 'utf8')).not.toMatch(/git\+|file:/)
  })
})
