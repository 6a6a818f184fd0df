import { readdir, readFile } from 'node:fs/promises'
import { pause } from '../shared/backoff.ts'

/** Every process that a runtime starts inherits this variable, whatever session or parent it ends up with. */
export const familyVariable = 'SVC_RUNTIME_RUN'

async function members(family: string): Promise<number[]> {
  const markers = [`${familyVariable}=${family}\0`, `${familyVariable}=${family}/`]
  const names = await readdir('/proc').catch(() => [])
  const found = await Promise.all(
    names.map(async (name) => {
      const pid = Number(name)
      if (!Number.isInteger(pid) || pid === process.pid) return []
      const environment = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '')
      return markers.some((marker) => environment.includes(marker)) ? [pid] : []
    }),
  )
  return found.flat()
}

const rounds = 20

/**
 * Ends what a run (`owner/run`), or all runs of an owner, left behind: their commands live in sessions of their own and
 * survive them. Where there is no /proc the process group, which the caller ends, is all that can be reached.
 */
export async function endFamily(family: string): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const pids = await members(family)
    if (pids.length === 0) return
    for (const pid of pids) kill(pid)
    await pause(20)
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}
