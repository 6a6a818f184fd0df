import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeFileAtomically } from '../shared/write-file.ts'

/** What waits to be reported, on disk, so that it outlives the process. */
export interface SpoolFile {
  load(): unknown[]
  append(entry: unknown): void
  /** Forgets the `count` oldest entries. */
  drop(count: number): void
}

/** Rewriting on every report would cost more than the sends; entries that were sent are cut off now and then. */
const deadBeforeRewrite = 1000

export function openSpoolFile(path: string): SpoolFile {
  let lines: string[] = []
  let dead = 0
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
          // A line cut short by a crash was never acknowledged to anyone.
        }
      }
      writeFileAtomically(path, lines.map((line) => `${line}\n`).join(''))
      return entries
    },
    append: (entry) => {
      const line = JSON.stringify(entry)
      lines.push(line)
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      appendFileSync(path, `${line}\n`, { mode: 0o600 })
    },
    drop: (count) => {
      lines = lines.slice(count)
      dead += count
      if (lines.length === 0) rmSync(path, { force: true })
      else if (dead >= deadBeforeRewrite) writeFileAtomically(path, lines.map((line) => `${line}\n`).join(''))
      else return
      dead = 0
    },
  }
}
