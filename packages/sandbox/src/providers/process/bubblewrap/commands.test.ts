import { describe, expect, it } from 'vitest'
import { limitPrefix, plainCommand } from './commands.ts'

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
    ['no limits', { prlimit, cgroups: withoutGroups, counts_processes: true }, {}, []],
    [
      'a limit of processes',
      { prlimit, cgroups: withoutGroups, counts_processes: true },
      limits,
      [prlimit, '--nproc=64', '--'],
    ],
    [
      'a shared user, whose other processes would count',
      { prlimit, cgroups: withoutGroups, counts_processes: false },
      { pids: 64 },
      [],
    ],
    [
      'control groups, which limit the whole',
      { prlimit, cgroups: withGroups, counts_processes: true },
      limits,
      [],
    ],
    ['no prlimit', { prlimit: null, cgroups: withoutGroups, counts_processes: true }, limits, []],
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
