import { readFile } from 'node:fs/promises'
import { limitExceeded } from '../../../shared/limit-exceeded.ts'
import { endProcesses, processesOf } from '../processes/end-processes.ts'
import type { Host } from '../host.ts'
import { residentKib } from '../processes/parse-proc.ts'
import { sandboxPaths } from '../paths.ts'
import { type SandboxRecord, writeRecord } from '../record.ts'
import { statusOf } from '../sandbox-state.ts'

/**
 * Ends a running sandbox whose processes hold more memory than it may have; the caller holds its lock. For machines
 * without control groups: a limit of address space would end programs that only reserve some.
 */
export async function checkMemory(host: Host, record: SandboxRecord): Promise<void> {
  const limit = record.limits.memory_mb ?? host.default_limits.memory_mb
  const paths = sandboxPaths(host.paths.root, record.external_id)
  if (limit === undefined || (await statusOf(record, paths)) !== 'running') return
  const pids = await processesOf(record, paths)
  const texts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')))
  const used = Math.ceil(texts.reduce((sum, text) => sum + residentKib(text), 0) / 1024)
  if (used <= limit) return
  const { external_id } = record
  host.log('warn', 'a sandbox holds too much memory and is ended', {
    external_id,
    used_mb: used,
    limit_mb: limit,
  })
  await writeRecord(paths.state, { ...record, ended_because: limitExceeded('memory', limit) })
  await endProcesses(record, paths)
}
