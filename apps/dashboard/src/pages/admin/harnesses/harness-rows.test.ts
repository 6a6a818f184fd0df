import type { Harness } from '@svc/sdk'
import { expect, test } from 'vitest'
import {
  canInstall,
  canRemove,
  harnessRows,
  isUnderWay,
  licenceState,
  reasonOf,
  sizeOf,
} from './harness-rows.ts'

type Install = Harness['installs'][number]

const install = (state: Install['state'], more: Partial<Install> = {}): Install => ({
  ...{ version: '1.0.0', target: 'linux-x64-glibc-node20', state, bytes_done: 0, bytes: null, error: null },
  last_used_at: '2026-01-01T00:00:00Z',
  ...more,
})

const harness = (more: Partial<Harness> = {}): Harness => ({
  ...{ name: 'one', title: 'One', source: 'known', package: '@a/one', version: '1.0.0', versions: ['1.0.0'] },
  ...{
    licences: [],
    proprietary: false,
    dialect: 'chat',
    mcp: [],
    auth: ['gateway'],
    permissions: 'by_mode',
  },
  ...{ bytes: 253_000_000, available: true, reason: null, message: null, installs: [] },
  ...more,
})

const row = (more: Partial<Harness> = {}) => {
  const [first] = harnessRows([harness(more)])
  if (first === undefined) throw new Error('There is a row for each harness')
  return first
}

test('a version that is installed beside the newest has a row of its own', () => {
  const old = install('ready', { version: '0.9.0' })
  const rows = harnessRows([harness({ installs: [old, install('failed'), install('ready')] })])
  expect(rows.map(({ version, installs }) => [version, installs.length])).toEqual([
    ['1.0.0', 2],
    ['0.9.0', 1],
  ])
})

test.each([
  [[], { install: true, remove: false, under_way: false }],
  [['wanted'], { install: false, remove: true, under_way: true }],
  [['installing'], { install: false, remove: false, under_way: true }],
  [['failed'], { install: true, remove: true, under_way: false }],
  [['ready'], { install: false, remove: true, under_way: false }],
  [['ready', 'failed'], { install: true, remove: true, under_way: false }],
] as const)('with installs %j it may be %j', (states, may) => {
  const one = row({ installs: states.map((state) => install(state)) })
  expect({ install: canInstall(one), remove: canRemove(one), under_way: isUnderWay(one) }).toEqual(may)
})

test('a program that a sandbox brings is not installed', () => {
  const brought = row({ package: null, version: null, bytes: 0 })
  expect([canInstall(brought), canRemove(brought), sizeOf(brought)]).toEqual([false, false, '–'])
})

test('the size is what is there, else about what it will be', () => {
  expect(sizeOf(row())).toBe('about 253 MB')
  expect(sizeOf(row({ installs: [install('ready', { bytes: 241_000_000 })] }))).toBe('241 MB')
})

test('a licence is asked for where a package is proprietary and one text is not accepted', () => {
  const text = { name: '@a/two', spdx: 'proprietary', url: null, sha256: 'a', accepted: false }
  expect(licenceState(harness())).toBe('free')
  expect(licenceState(harness({ proprietary: true, licences: [text] }))).toBe('required')
  expect(licenceState(harness({ proprietary: true, licences: [{ ...text, accepted: true }] }))).toBe(
    'accepted',
  )
})

test('the reason of a failure stands apart from the output of npm', () => {
  expect(reasonOf('No room is left.')).toEqual({ reason: 'No room is left.', output: '' })
  expect(reasonOf('No room is left.; npm said: npm error\ncode ENOSPC')).toEqual({
    reason: 'No room is left.',
    output: 'npm error\ncode ENOSPC',
  })
})
