import { errorCode } from '../../../sandbox-error.ts'
import { checkDisk } from './check-disk.ts'
import { checkMemory } from './check-memory.ts'
import { freeRoom } from './disk-use.ts'
import { watchDisk } from './disk-watch.ts'
import { findRecord, listSandboxes, lockPath } from '../find-sandboxes.ts'
import type { Host } from '../host.ts'
import { withLock } from '../../../shared/lock.ts'
import { capLog } from '../files/output-log.ts'
import { sandboxPaths } from '../paths.ts'
import type { SandboxRecord } from '../record.ts'

const logCheckMs = 30_000

export interface SandboxWatch {
  close(): Promise<void>
}

/** Holds sandboxes to what the kernel does not hold them to, for as long as this process lives. */
export function watchSandboxes(host: Host): SandboxWatch {
  const logCheck = setInterval(() => void capLogs(host), logCheckMs).unref()
  const disk = watchDisk({
    every_ms: host.look_every_ms,
    free: () => freeRoom(host.paths.root),
    look: () => lookAtAll(host, checkDisk),
    log: host.log,
  })
  let looking = Promise.resolve()
  const memoryCheck = setInterval(() => {
    if (!host.cgroups.controllers.has('memory')) looking = looking.then(() => lookAtAll(host, checkMemory))
  }, host.look_every_ms).unref()
  return {
    close: async () => {
      clearInterval(logCheck)
      clearInterval(memoryCheck)
      await Promise.all([disk.close(), looking])
    },
  }
}

/** Looks at every sandbox; at one that is being started or stopped, once that is done. */
async function lookAtAll(
  host: Host,
  look: (host: Host, record: SandboxRecord) => Promise<void>,
): Promise<void> {
  const ids = await listSandboxes(host).catch(() => [])
  for (const external_id of ids) {
    const check = async (): Promise<void> => {
      const record = await findRecord(host, external_id)
      if (record !== null) await look(host, record)
    }
    await withLock(lockPath(host, external_id), check).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return
      host.log('warn', 'a sandbox cannot be measured', { external_id, error: String(error) })
    })
  }
}

async function capLogs(host: Host): Promise<void> {
  try {
    for (const external_id of await listSandboxes(host))
      await capLog(sandboxPaths(host.paths.root, external_id).output)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') host.log('warn', 'sandbox logs were not cut', { error: String(error) })
  }
}
