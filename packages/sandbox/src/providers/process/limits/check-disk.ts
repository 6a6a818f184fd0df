import { limitExceeded } from '../../../shared/limit-exceeded.ts'
import { diskUse } from './disk-use.ts'
import { endProcesses, processesOf } from '../processes/end-processes.ts'
import type { Host } from '../host.ts'
import { removeGroups } from './cgroups.ts'
import { sandboxPaths } from '../paths.ts'
import { type SandboxRecord, writeRecord } from '../record.ts'
import { statusOf } from '../sandbox-state.ts'

/**
 * Ends a running sandbox that has written more than its disk; the caller holds its lock. Its files are kept, and at its
 * next start it may take a tenth more, to clean up.
 */
export async function checkDisk(host: Host, record: SandboxRecord): Promise<void> {
  const limit = record.limits.disk_mb ?? host.default_limits.disk_mb
  const paths = sandboxPaths(host.paths.root, record.external_id)
  if (limit === undefined || (await statusOf(record, paths)) !== 'running') return
  const used = await diskUse(paths, await processesOf(record, paths))
  const allowance = record.disk_allowance_mb ?? 0
  if (used <= Math.max(limit, allowance)) return
  const { external_id } = record
  host.log('warn', 'a sandbox has filled its disk and is ended', {
    external_id,
    used_mb: used,
    disk_mb: limit,
  })
  await writeRecord(paths.state, {
    ...record,
    ended_because: limitExceeded('disk', limit),
    disk_allowance_mb: Math.ceil(used * 1.1),
  })
  await endProcesses(record, paths)
  await removeGroups(host.cgroups, external_id)
}
