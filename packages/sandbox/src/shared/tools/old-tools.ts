import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { basename, join } from 'node:path'

const hourMs = 3_600_000
/** A worker of an earlier release, which keeps its own fresh, has this long to be missing. */
const staleMs = 24 * hourMs

/** Marks tools as used by a living process of the platform, until the returned function is called. */
export function keepTools(folder: string): () => void {
  const mark = (): void => {
    const now = new Date()
    void utimes(folder, now, now).catch(() => undefined)
  }
  mark()
  const timer = setInterval(mark, hourMs).unref()
  return () => clearInterval(timer)
}

/** Removes the tools of earlier releases that no sandbox runs from and no worker has used for a day. Returns their names. */
export async function removeOldTools(
  current: string,
  {
    now = Date.now(),
    processes = runningPlaces,
  }: { now?: number; processes?: () => Promise<string | null> } = {},
): Promise<readonly string[]> {
  const above = join(current, '..')
  const stale: string[] = []
  for (const name of await readdir(above)) {
    if (name === basename(current)) continue
    const found = await stat(join(above, name)).catch(() => null)
    if (found !== null && now - found.mtimeMs > staleMs) stale.push(name)
  }
  if (stale.length === 0) return []
  const running = await processes()
  if (running === null) return []
  const unused = stale.filter((name) => !running.includes(name))
  for (const name of unused) await rm(join(above, name), { recursive: true, force: true })
  return unused
}

/** The command lines, environments and mounts of this machine's processes; null where they cannot be seen. */
async function runningPlaces(): Promise<string | null> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  if (pids.length === 0) return null
  const texts: string[] = []
  for (const pid of pids) {
    for (const file of ['cmdline', 'environ', 'mountinfo'])
      texts.push(await readFile(`/proc/${pid}/${file}`, 'latin1').catch(() => ''))
  }
  return texts.join('\n')
}
