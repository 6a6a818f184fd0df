import { readdir, readFile } from 'node:fs/promises'

/** The command lines of this machine's processes, as every user can read them. */
export async function commandLines(): Promise<string> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')),
  )
  return lines.join('\n')
}
