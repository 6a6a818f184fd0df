import { opendir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Metrics } from '@svc/boot'

/** Says in the metrics how much room the file systems of these folders have, whenever the metrics are asked for. */
export function watchDisks(metrics: Metrics, folders: Readonly<Record<string, string>>): void {
  for (const [folder, path] of Object.entries(folders))
    metrics.beforeRender(async () => {
      const { bsize, bavail, blocks } = await statfs(path)
      metrics.set('svc_disk_free_bytes', { folder }, bavail * bsize)
      metrics.set('svc_disk_size_bytes', { folder }, blocks * bsize)
    })
}

/** The bytes of the files below a folder. One file at a time: it is in no hurry, and keeps no worker from its work. */
export async function folderBytes(path: string, signal: AbortSignal): Promise<number> {
  let bytes = 0
  const folder = await opendir(path).catch(() => [])
  for await (const entry of folder) {
    signal.throwIfAborted()
    const inner = join(path, entry.name)
    if (entry.isDirectory()) bytes += await folderBytes(inner, signal)
    else if (entry.isFile()) bytes += (await stat(inner).catch(() => null))?.size ?? 0
  }
  return bytes
}

const lookMs = 15 * 60_000

/** Measures a folder now and again every quarter of an hour. Returns what ends it. */
export function watchFolder(path: string, onBytes: (bytes: number) => void): () => void {
  const stop = new AbortController()
  const look = async () => {
    const bytes = await folderBytes(path, stop.signal).catch(() => null)
    if (stop.signal.aborted) return
    if (bytes !== null) onBytes(bytes)
    setTimeout(() => void look(), lookMs).unref()
  }
  void look()
  return () => stop.abort()
}
