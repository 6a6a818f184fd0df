import { describe, expect, it } from 'vitest'
import type { Cgroups } from './limits/cgroups.ts'
import { describeHost, sharesLoopback } from './describe-host.ts'

const layout = { links: [], folders: [], etc: [] }
const bubblewrap = {
  kind: 'bubblewrap',
  program: 'bwrap',
  layout,
  forbid_user_namespaces: true,
  own_network: true,
  seccomp: Buffer.alloc(8),
} as const
const egress = { mode: 'open' } as const
const none = { kind: 'none', reason: 'bubblewrap (bwrap) is not installed' } as const
const uids = { first: 200_000, count: 1_000 }
const groups = (...names: ('memory' | 'pids' | 'cpu')[]): Cgroups => ({
  version: 'v1',
  controllers: new Map(names.map((name) => [name, `/${name}`])),
})
const rich = {
  egress,
  counts_processes: true,
  uids,
  prlimit: '/usr/bin/prlimit',
  cgroups: groups('memory', 'pids', 'cpu'),
}
const poor = { egress, counts_processes: false, uids: null, prlimit: null, cgroups: groups() }
const text = (lines: readonly string[]) => lines.join('\n')

describe('describeHost', () => {
  it('says why there is no isolation', () => {
    const { name, isolated, not_isolated } = describeHost({ isolation: none, ...poor })
    expect(name).toBe('process')
    expect(isolated).toEqual([])
    expect(not_isolated[0]).toContain('bubblewrap (bwrap) is not installed')
  })

  it('tells whether sandboxes reach what listens on loopback', () => {
    const shares = (isolation: Parameters<typeof describeHost>[0]['isolation']) =>
      sharesLoopback({ describe: () => describeHost({ isolation, ...rich }) })
    expect(shares(none)).toBe(true)
    expect(shares({ ...bubblewrap, own_network: false })).toBe(true)
    expect(shares(bubblewrap)).toBe(false)
  })

  it('claims a network of its own only where there is one', () => {
    const of = (
      isolation: typeof none | (Omit<typeof bubblewrap, 'own_network'> & { own_network: boolean }),
    ) => {
      const { isolated, not_isolated } = describeHost({ isolation, ...rich })
      return [text(isolated).includes('network:'), text(not_isolated).includes('network:')]
    }
    expect(of(bubblewrap)).toEqual([true, false])
    expect(of({ ...bubblewrap, own_network: false })).toEqual([false, true])
    expect(of(none)).toEqual([false, true])
  })

  it('claims to filter system calls only where there is a filter', () => {
    const of = (seccomp: Buffer | null) => {
      const { isolated, not_isolated } = describeHost({ isolation: { ...bubblewrap, seccomp }, ...rich })
      return [text(isolated).includes('system calls:'), text(not_isolated).includes('system calls:')]
    }
    expect(of(bubblewrap.seccomp)).toEqual([true, false])
    expect(of(null)).toEqual([false, true])
  })

  it.each([bubblewrap, none])('never claims to hold the disk to its limit ($kind)', (isolation) => {
    const { isolated, not_isolated } = describeHost({ isolation, ...rich })
    expect(text(isolated)).not.toContain('disk:')
    expect(text(not_isolated)).toContain('disk: measured')
  })

  it.each([bubblewrap, none])(
    'counts users and limits as apart only where there are some ($kind)',
    (isolation) => {
      expect(text(describeHost({ isolation, ...rich }).isolated)).toMatch(
        /users:[^]*memory, pids, cpu: limited/,
      )
      expect(text(describeHost({ isolation, ...poor }).isolated)).not.toMatch(/users:|limited/)
      expect(text(describeHost({ isolation, ...poor }).not_isolated)).toMatch(
        /memory: measured[^]*pids: not limited[^]*users:/,
      )
    },
  )

  it('tells what is held to a limit from what is only measured', () => {
    const means = { ...rich, cgroups: groups('cpu') }
    const { isolated, not_isolated } = describeHost({ isolation: bubblewrap, ...means })
    expect(text(isolated)).toContain('pids, cpu: limited for the sandbox as a whole')
    expect(text(not_isolated)).toContain('memory: measured')
  })
})
