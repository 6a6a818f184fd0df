import { describe, expect, it } from 'vitest'
import { limitPrefix, plainCommand } from './commands.ts'

const uids = { first: 200_000, count: 1_000 }
const withoutGroups = { controllers: new Map() }
const withGroups = {
  controllers: new Map([
    ['memory', '/m'],
    ['pids', '/p'],
  ] as const),
}

describe('limitPrefix', () => {
  const prlimit = '/usr/bin/prlimit'
  const limits = { pids: 64, memory_mb: 2 }

  it.each([
    ['no limits', { prlimit, cgroups: withoutGroups, uids }, {}, []],
    [
      'both',
      { prlimit, cgroups: withoutGroups, uids },
      limits,
      [prlimit, '--nproc=64', '--data=2097152', '--'],
    ],
    [
      'a shared user, whose other processes would count',
      { prlimit, cgroups: withoutGroups, uids: null },
      { pids: 64 },
      [],
    ],
    ['control groups, which limit the whole', { prlimit, cgroups: withGroups, uids }, limits, []],
    ['no prlimit', { prlimit: null, cgroups: withoutGroups, uids }, limits, []],
  ])('%s', (_, means, wished, prefix) => {
    expect(limitPrefix(means, wished)).toEqual(prefix)
  })
})

describe('plainCommand', () => {
  it('puts the environment nowhere but in the environment', () => {
    const command = plainCommand('/tools', '/w', { KEY: 'secret' }, [])
    expect(command.args.join(' ')).not.toContain('secret')
    expect(command.args.at(-1)).toBe('/tools/bin/svc-entrypoint')
  })
})
