import { readdir } from 'node:fs/promises'
import { constants, getPriority, setPriority } from 'node:os'

/**
 * Lets work of people go before that of this process and of the programs that it starts. Linux keeps a priority for each thread,
 * and what packs and hashes runs on threads beside the first.
 */
export async function giveWay(): Promise<void> {
  const threads = await readdir('/proc/self/task').catch(() => ['0'])
  const lower = Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL)
  for (const id of threads) {
    try {
      setPriority(Number(id), lower)
    } catch {
      // A thread that ended meanwhile; where the system refuses it, a backup is only less polite.
    }
  }
}
