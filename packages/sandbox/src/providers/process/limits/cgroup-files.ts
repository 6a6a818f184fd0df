import type { SandboxLimits } from '../../../provider.ts'

export type CgroupName = 'memory' | 'pids' | 'cpu'
export type CgroupVersion = 'v1' | 'v2'

export interface LimitFile {
  readonly file: string
  readonly text: string
}

const cpuPeriodMicros = 100_000

/** The files to write into a sandbox's group for one controller; none where no limit is wished. */
export function limitFiles(
  version: CgroupVersion,
  name: CgroupName,
  limits: SandboxLimits,
): readonly LimitFile[] {
  switch (name) {
    case 'memory': {
      if (limits.memory_mb === undefined) return []
      const text = String(limits.memory_mb * 1024 * 1024)
      return [{ file: version === 'v1' ? 'memory.limit_in_bytes' : 'memory.max', text }]
    }
    case 'pids':
      return limits.pids === undefined ? [] : [{ file: 'pids.max', text: String(limits.pids) }]
    case 'cpu': {
      if (limits.cpu === undefined) return []
      const quota = Math.max(1_000, Math.round(limits.cpu * cpuPeriodMicros))
      return version === 'v2'
        ? [{ file: 'cpu.max', text: `${quota} ${cpuPeriodMicros}` }]
        : [
            { file: 'cpu.cfs_period_us', text: String(cpuPeriodMicros) },
            { file: 'cpu.cfs_quota_us', text: String(quota) },
          ]
    }
  }
}

/** The group of version 1 that `/proc/self/cgroup` names for a controller; null where that is not mounted. */
export function ownGroup(membership: string, name: CgroupName): string | null {
  for (const line of membership.split('\n')) {
    const [, controllers, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    if (path !== undefined && controllers?.split(',').includes(name) === true) return path
  }
  return null
}
