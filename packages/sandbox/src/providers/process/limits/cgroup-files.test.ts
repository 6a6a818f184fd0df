import { describe, expect, it } from 'vitest'
import { limitFiles, ownGroup } from './cgroup-files.ts'

const limits = { cpu: 1.5, memory_mb: 2, pids: 64 }

describe('limitFiles', () => {
  it.each([
    ['v1', 'memory', [{ file: 'memory.limit_in_bytes', text: '2097152' }]],
    ['v2', 'memory', [{ file: 'memory.max', text: '2097152' }]],
    ['v1', 'pids', [{ file: 'pids.max', text: '64' }]],
    ['v2', 'pids', [{ file: 'pids.max', text: '64' }]],
    ['v2', 'cpu', [{ file: 'cpu.max', text: '150000 100000' }]],
    [
      'v1',
      'cpu',
      [
        { file: 'cpu.cfs_period_us', text: '100000' },
        { file: 'cpu.cfs_quota_us', text: '150000' },
      ],
    ],
  ] as const)('%s %s', (version, name, files) => {
    expect(limitFiles(version, name, limits)).toEqual(files)
    expect(limitFiles(version, name, {})).toEqual([])
  })
})

describe('ownGroup', () => {
  const membership = '4:memory:/a/b\n2:cpu,cpuacct:/\n0::/unified\n'

  it.each([
    ['memory', '/a/b'],
    ['cpu', '/'],
    ['pids', null],
  ] as const)('%s', (name, path) => {
    expect(ownGroup(membership, name)).toBe(path)
  })
})
