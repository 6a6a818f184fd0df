import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runtimeNames } from '@svc/facts'
import { expect, test } from 'vitest'

const root = join(fileURLToPath(import.meta.url), '../../../../..')

/** Here a runtime may be called by its name: where the names are, and in the rooms of the runtimes themselves. */
const homes = [
  /^packages\/facts\/src\/runtimes\.ts$/,
  // Programs that are agents, of which some have such a name.
  /^packages\/harness\/src\//,
  // As it was on the day of the migration.
  /^packages\/db\/src\/migrations\//,
  ...runtimeNames.map((name) => new RegExp(`^apps/daemon/src/runtimes/${name}/`)),
]
const tests = /\.(test|cluster-test)\.tsx?$|\/(tests|testing|cases)\//
const comment = /^\s*(\/\*|\*|\/\/)/
/** `agentrt` is a key of the manifest as well, whatever the runtime. */
const isManifestKey = (path: string, name: string, line: string): boolean =>
  name === 'agentrt' && (path.startsWith('packages/manifest/src/') || line.includes('Pick<Manifest,'))

function literals(path: string, text: string): string[] {
  if (tests.test(path) || homes.some((home) => home.test(path))) return []
  return text.split('\n').flatMap((line, index) =>
    runtimeNames
      .filter((name) => new RegExp(`(['"\`])${name}\\1`).test(line))
      .filter((name) => !comment.test(line) && !isManifestKey(path, name, line))
      .map((name) => `${path}:${index + 1} names ${name}`),
  )
}

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory())
      return ['node_modules', 'dist', '.turbo'].includes(entry.name) ? [] : sources(path)
    return /\.(tsx?|mjs)$/.test(entry.name) ? [path] : []
  })
}

test('no file but those of the runtimes themselves holds a runtime’s name as a text', () => {
  const files = ['apps', 'packages', 'bench', 'scripts', 'infra'].flatMap(sources)
  expect(files.length).toBeGreaterThan(1_000)
  expect(files.flatMap((path) => literals(path, readFileSync(join(root, path), 'utf8')))).toEqual([])
})

test.each([
  ['apps/daemon/src/warm/choose.ts', "const make = name === 'pi' ? createPi : createOther", 1],
  ['packages/services/src/a.ts', 'const name = "agentrt"', 1],
  ['packages/services/src/a.ts', "agent: Pick<Manifest, 'agentrt'>", 0],
  ['packages/manifest/src/a.ts', "mappingAt(data, 'agentrt')", 0],
  ['packages/manifest/src/a.ts', "data.runtime === 'pi'", 1],
  ['apps/daemon/src/runtimes/pi/pi.ts', "name: 'pi'", 0],
  ['apps/daemon/src/runtimes/registry.ts', 'pi: createPi', 0],
  ['apps/daemon/tests/support/dialects.ts', "name: 'pi'", 0],
])('%s with %j has %i', (path, line, count) => {
  expect(literals(path, line)).toHaveLength(count)
})
