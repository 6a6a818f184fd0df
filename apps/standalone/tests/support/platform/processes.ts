import { readdir, readFile, readlink } from 'node:fs/promises'
import { waitFor } from '../wait-for.ts'

export interface FoundProcess {
  readonly pid: number
  readonly command: string
}

/** Living processes of this machine whose command or environment holds one of the texts. None can be seen without /proc. */
export function processesWith(texts: readonly string[]): Promise<FoundProcess[]> {
  return find(texts, async () => [])
}

/** Those as well that have files of theirs open or mounted, as a program in a sandbox has that carries no text. */
export function processesAt(texts: readonly string[]): Promise<FoundProcess[]> {
  return find(texts, async (pid) => [await read(`/proc/${pid}/mountinfo`), ...(await openFiles(pid))])
}

async function find(
  texts: readonly string[],
  moreOf: (pid: string) => Promise<readonly string[]>,
): Promise<FoundProcess[]> {
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
      const words = [command, environment, ...(await moreOf(pid))]
      if (!texts.some((text) => words.some((one) => one.includes(text)))) return []
      return [{ pid: Number(pid), command: command.replaceAll('\0', ' ').trim() }]
    }),
  )
  return found.flat()
}

/** Kills the processes of a platform that its own death left, such as its sandboxes and its database. */
export async function killAll(texts: readonly string[]): Promise<void> {
  for (const { pid } of await processesAt(texts)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended by itself.
    }
  }
  await expectNoProcesses(texts)
}

/** No process of a platform is left; the error names those that are. */
export async function expectNoProcesses(texts: readonly string[]): Promise<void> {
  let left: FoundProcess[] = []
  await waitFor('no process is left', async () => (left = await processesAt(texts)).length === 0).catch(
    () => {
      throw new Error(`Still running: ${left.map(({ pid, command }) => `${pid} ${command}`).join('; ')}`)
    },
  )
}

async function openFiles(pid: string): Promise<string[]> {
  const names = await readdir(`/proc/${pid}/fd`).catch(() => [])
  return Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')))
}

function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}
