import { writeFileSync, writeSync } from 'node:fs'
import type { AgentSettings, CrashPoint } from './settings.ts'

export type Crash = (point: CrashPoint) => void

/** Ends the process on the spot when it is at the point of its fault, as a killed one would end. */
export function createCrash({ fault }: AgentSettings): Crash {
  return (point) => {
    if (fault.crash !== point) return
    try {
      if (fault.once !== undefined) writeFileSync(fault.once, point, { flag: 'wx' })
    } catch {
      // The file of an earlier crash is there.
      return
    }
    writeSync(process.stderr.fd, `acp-agent: scripted crash at ${point}\n`)
    process.kill(process.pid, 'SIGKILL')
  }
}
