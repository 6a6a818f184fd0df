import { readdir, readFile } from 'node:fs/promises'
import { waitFor } from '../wait-for.ts'

export interface FoundProcess {
  readonly pid: number
  readonly command: string
}

/** Living processes of this machine whose command or environment holds one of the texts. None can be seen without /proc. */
export async function processesWith(texts: readonly string[]): Promise<FoundProcess[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      if (Number(pid) === process.pid) return []
      const [command, environment, stat] = await Promise.all([
        read(`/proc/${pid}/cmdline`),
        read(`/proc/${pid}/environ`),
        read(`/proc/${pid}/stat`),
      ])
      // The state follows the name, which is in brackets and may hold anything.
      if (/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))) return []
      if (!texts.some((text) => command.includes(text) || environment.includes(text))) return []
      return [{ pid: Number(pid), command: command.replaceAll('\0', ' ').trim() }]
    }),
  )
  return found.flat()
}

/** No process of a platform is left; the error names those that are. */
export async function expectNoProcesses(texts: readonly string[]): Promise<void> {
  let left: FoundProcess[] = []
  await waitFor('no process is left', async () => (left = await processesWith(texts)).length === 0).catch(
    () => {
      throw new Error(`Still running: ${left.map(({ pid, command }) => `${pid} ${command}`).join('; ')}`)
    },
  )
}

function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}
