import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import type { Log } from '../log.ts'
import { writeFileAtomically } from '../shared/write-file.ts'

/** The entries that wait to be reported, on disk, so that they outlive the process. */
export interface SpoolFile {
  load(): unknown[]
  append(entry: unknown): void
  /** Forgets the `count` oldest entries. */
  drop(count: number): void
}

/** Rewriting on every report would cost more than the sends; entries that were sent are cut off now and then. */
const deadBeforeRewrite = 1000

export function openSpoolFile(path: string, log: Log): SpoolFile {
  let lines: string[] = []
  let dead = 0
  /** False when its last line may be cut short, by a crash or a full disk: a line behind it would be lost with it. */
  let whole = false

  const rewrite = (): void => writeFileAtomically(path, lines.map((line) => `${line}\n`).join(''))

  /** A full disk holds up no report: entries that it does not take are written together with the next ones. */
  function keep(write: () => void): void {
    try {
      write()
      whole = true
    } catch (error) {
      if (whole) log.warn('what waits to be reported cannot be written down', { error })
      whole = false
    }
  }

  return {
    load: () => {
      if (!existsSync(path)) return []
      const entries: unknown[] = []
      for (const line of readFileSync(path, 'utf8').split('\n')) {
        if (line === '') continue
        try {
          entries.push(JSON.parse(line))
          lines.push(line)
        } catch {
          // A line cut short by a crash was never acknowledged to a caller.
        }
      }
      return entries
    },
    append: (entry) => {
      const line = JSON.stringify(entry)
      lines.push(line)
      keep(whole ? () => appendFileSync(path, `${line}\n`, { mode: 0o600 }) : rewrite)
    },
    drop: (count) => {
      lines = lines.slice(count)
      dead += count
      if (lines.length === 0) rmSync(path, { force: true })
      else if (dead >= deadBeforeRewrite) keep(rewrite)
      else return
      dead = 0
    },
  }
}
