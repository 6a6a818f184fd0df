import { expect, test } from 'vitest'
import { harnessTarget } from './target.ts'

test.each([
  [{ platform: 'linux', arch: 'x64', node_version: '20.20.2', glibc: '2.36' }, 'linux-x64-glibc-node20'],
  [{ platform: 'linux', arch: 'arm64', node_version: '22.1.0', glibc: undefined }, 'linux-arm64-musl-node22'],
  [{ platform: 'darwin', arch: 'arm64', node_version: '24.0.0', glibc: undefined }, 'darwin-arm64-node24'],
])('%j is %s', (machine, target) => {
  expect(harnessTarget(machine)).toBe(target)
})

test('this machine has a kind', () => {
  expect(harnessTarget()).toMatch(/^(linux-\w+-(glibc|musl)|\w+-\w+)-node\d+$/)
})
