import { readdirSync, readFileSync } from 'node:fs'

/** A zombie has ended, whatever its pid still answers. */
export function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Processes whose environment holds `text`, and whose command line holds `word`. */
export function processesWith(text: string, word = ''): number[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    if (!Number.isInteger(pid)) return []
    try {
      const environment = readFileSync(`/proc/${name}/environ`, 'latin1')
      const command = readFileSync(`/proc/${name}/cmdline`, 'latin1')
      return environment.includes(text) && command.includes(word) ? [pid] : []
    } catch {
      return []
    }
  })
}
