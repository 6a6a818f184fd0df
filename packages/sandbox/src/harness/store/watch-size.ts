import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const everyMs = 1000

/** Reports the size of a growing folder about each second, until the returned function is called. */
export function watchSize(folder: string, report: (bytes: number) => void): () => void {
  let ended = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = async (): Promise<void> => {
    const bytes = await sizeOf(folder)
    if (ended) return
    report(bytes)
    timer = setTimeout(() => void look(), everyMs).unref()
  }
  timer = setTimeout(() => void look(), everyMs).unref()
  return () => {
    ended = true
    clearTimeout(timer)
  }
}

/** The total size of the files; one that goes meanwhile counts as none. */
async function sizeOf(folder: string): Promise<number> {
  let bytes = 0
  const folders = [folder]
  for (const place of folders) {
    for (const entry of await readdir(place, { withFileTypes: true }).catch(() => [])) {
      const path = join(place, entry.name)
      if (entry.isDirectory()) folders.push(path)
      else bytes += (await lstat(path).catch(() => null))?.size ?? 0
    }
  }
  return bytes
}
