import { parseProcessStat } from '@svc/files'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { listenersAt, parseListeners } from './listeners.ts'

export type IsOurs = (host: string, port: number) => Promise<boolean>

/**
 * Sandboxes of one machine may share its network, so a port that answers can be a neighbour's or the machine's own.
 * Ours is what a process of this sandbox listens on: one that carries the sandbox's id, or descends from one that
 * does. Without an id, or without /proc, the network is taken to be the sandbox's own.
 */
export function createIsOurs(sandbox_id: string | undefined): IsOurs {
  if (sandbox_id === undefined) return async () => true
  return async (host, port) => {
    const tables = await Promise.all(['tcp', 'tcp6'].map((name) => read(`/proc/net/${name}`)))
    if (tables.every((table) => table === null)) return true
    const accepting = listenersAt(
      tables.flatMap((table) => parseListeners(table ?? '')),
      host,
      port,
    )
    if (accepting.length === 0) return false
    const ours = await socketsOf(sandbox_id)
    return accepting.every(({ inode }) => ours.has(inode))
  }
}

async function socketsOf(sandbox_id: string): Promise<ReadonlySet<string>> {
  const pids = await processesOf(sandbox_id)
  const sockets = await Promise.all(pids.map(openSockets))
  return new Set(sockets.flat())
}

async function processesOf(sandbox_id: string): Promise<readonly string[]> {
  const pids = (await names('/proc')).filter((name) => /^\d+$/.test(name))
  const marker = `SVC_SANDBOX_ID=${sandbox_id}`
  const rows = await Promise.all(
    pids.map(async (pid) => {
      const [environment, stat] = await Promise.all([read(`/proc/${pid}/environ`), read(`/proc/${pid}/stat`)])
      return {
        pid,
        parent: String(parseProcessStat(stat ?? '')?.parent ?? ''),
        marked: (environment ?? '').split('\0').includes(marker),
      }
    }),
  )
  const found = new Set(rows.filter(({ marked }) => marked).map(({ pid }) => pid))
  for (let before = -1; before !== found.size;) {
    before = found.size
    for (const { pid, parent } of rows) if (found.has(parent)) found.add(pid)
  }
  return [...found]
}

async function openSockets(pid: string): Promise<readonly string[]> {
  const folder = `/proc/${pid}/fd`
  const targets = await Promise.all(
    (await names(folder)).map((fd) => readlink(`${folder}/${fd}`).catch(() => '')),
  )
  return targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [])
}

function read(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null)
}

function names(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}
