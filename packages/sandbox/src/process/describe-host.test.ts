import { describe, expect, it } from 'vitest'
import type { Cgroups } from './cgroups.ts'
import { describeHost } from './describe-host.ts'

const layout = { links: [], folders: [], etc: [] }
const bubblewrap = { kind: 'bubblewrap', program: 'bwrap', layout, forbid_user_namespaces: true } as const
const none = { kind: 'none', reason: 'bubblewrap (bwrap) is not installed' } as const
const uids = { first: 200_000, count: 1_000 }
const groups = (...names: ('memory' | 'pids' | 'cpu')[]): Cgroups => ({
  version: 'v1',
  controllers: new Map(names.map((name) => [name, `/${name}`])),
})
const rich = { uids, prlimit: '/usr/bin/prlimit', cgroups: groups('memory', 'pids', 'cpu') }
const poor = { uids: null, prlimit: null, cgroups: groups() }
const text = (lines: readonly string[]) => lines.join('\n')

describe('describeHost', () => {
  it('says why there is no isolation', () => {
    const { name, isolated, not_isolated } = describeHost({ isolation: none, ...poor })
    expect(name).toBe('process')
    expect(isolated).toEqual([])
    expect(not_isolated[0]).toContain('bubblewrap (bwrap) is not installed')
  })

  it.each([bubblewrap, none])('never claims to keep the network or the disk apart ($kind)', (isolation) => {
    const { isolated, not_isolated } = describeHost({ isolation, ...rich })
    for (const word of ['network:', 'disk:']) {
      expect(text(isolated)).not.toContain(word)
      expect(text(not_isolated)).toContain(word)
    }
  })

  it.each([bubblewrap, none])(
    'counts users and limits as apart only where there are some ($kind)',
    (isolation) => {
      expect(text(describeHost({ isolation, ...rich }).isolated)).toMatch(
        /users:[^]*memory, pids, cpu: limited/,
      )
      expect(text(describeHost({ isolation, ...poor }).isolated)).not.toMatch(/users:|limited/)
      expect(text(describeHost({ isolation, ...poor }).not_isolated)).toMatch(/memory: not limited[^]*users:/)
    },
  )

  it('tells a limit for each process from one for the whole', () => {
    const means = { ...rich, cgroups: groups('cpu') }
    const { isolated, not_isolated } = describeHost({ isolation: bubblewrap, ...means })
    expect(text(isolated)).toContain('cpu: limited for the sandbox as a whole')
    expect(text(not_isolated)).toMatch(/memory: limited for each process[^]*pids: limited for each user/)
  })
})
