import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = join(fileURLToPath(import.meta.url), '../../../../..')

function knip(cwd: string) {
  const run = spawnSync(process.execPath, [join(root, 'node_modules/knip/bin/knip.js'), '--no-progress'], {
    cwd,
    encoding: 'utf8',
  })
  return { code: run.status, said: run.stdout }
}

test('a dependency, a file and an export that nothing uses are found', () => {
  const tree = mkdtempSync(join(tmpdir(), 'unused-'))
  const file = (path: string, text: string) => {
    mkdirSync(join(tree, path, '..'), { recursive: true })
    writeFileSync(join(tree, path), text)
  }
  const manifest = (name: string, dependencies: Record<string, string>) =>
    JSON.stringify({ name, version: '0.0.0', type: 'module', exports: './src/index.ts', dependencies })
  try {
    cpSync(join(root, 'knip.json'), join(tree, 'knip.json'))
    file('package.json', '{ "name": "tree", "private": true }')
    file('pnpm-workspace.yaml', 'packages:\n  - packages/*\n')
    file('packages/one/package.json', manifest('@svc/one', {}))
    file('packages/one/src/index.ts', 'export const one = 1\n')
    file('packages/two/package.json', manifest('@svc/two', { '@svc/one': 'workspace:*' }))
    file('packages/two/src/index.ts', "export { two } from './used.ts'\n")
    file('packages/two/src/used.ts', 'export const two = 2\nexport const nobodys = 3\n')
    file('packages/two/src/left.ts', 'export const left = 4\n')

    const { code, said } = knip(tree)
    expect(code).toBe(1)
    expect(said).toMatch(/^packages\/two\/src\/left\.ts/m)
    expect(said).toMatch(/^@svc\/one\s+packages\/two\/package\.json/m)
    expect(said).toMatch(/^nobodys\s+packages\/two\/src\/used\.ts/m)
  } finally {
    rmSync(tree, { recursive: true })
  }
})
