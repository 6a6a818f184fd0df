import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { installedVersion } from '../../../code-cache/installed-version.ts'
import { opencodeVersion } from './preseed.ts'

test('the version that is written into lock files is the one that is installed', () => {
  expect(installedVersion('@opencode-ai/sdk')).toBe(opencodeVersion)
})

test('the runtime’s binary and its client are of one version', () => {
  const catalog = readFileSync(new URL('../../../../../pnpm-workspace.yaml', import.meta.url), 'utf8')
  const named = [...catalog.matchAll(/^ +'?(?:@opencode-ai\/[\w-]+|opencode-[\w-]+)'?: (\S+)$/gm)]
  expect(named.length).toBeGreaterThan(1)
  for (const [line, version] of named) expect(version, line).toBe(opencodeVersion)
})
