import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { EmbeddedLog } from './log.ts'
import { commandOf, waitForEnd } from './processes.ts'

const quietMs = 15_000

/** Ends the server that a killed platform left running on this cluster; from `stopping` on without a checkpoint. */
export async function stopLeftover(
  cluster_dir: string,
  log: EmbeddedLog,
  stopping: AbortSignal,
): Promise<void> {
  const pid = await runningPid(cluster_dir)
  const command = pid === undefined ? undefined : commandOf(pid)
  if (pid === undefined || !command) return
  log.warn({ pid }, 'A PostgreSQL left by an earlier run is stopped')
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    if (await waitForEnd(pid, command, quietMs, signal === 'SIGINT' ? stopping : undefined)) return
  }
  throw new Error(`The PostgreSQL of an earlier run (process ${pid}) does not end`)
}

/**
 * PostgreSQL cleans a pid file whose process is gone, but would yield to a living stranger that was given the
 * same pid since: that file is removed here.
 */
async function runningPid(cluster_dir: string): Promise<number | undefined> {
  const file = join(cluster_dir, 'postmaster.pid')
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  const command = Number.isInteger(pid) && pid > 1 ? commandOf(pid) : undefined
  if (command === undefined) return undefined
  if (`${command} `.includes(` -D ${cluster_dir} `)) return pid
  await rm(file, { force: true })
  return undefined
}
