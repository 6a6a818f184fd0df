import { constants } from 'node:os'

const signalNames = new Map<number, string>(
  Object.entries(constants.signals).map(([name, number]) => [number, name]),
)

/** Shells and bubblewrap report a death by signal as 128 and its number. */
export function exitWords(code: number): string {
  const signal = code > 128 ? signalNames.get(code - 128) : undefined
  return signal === undefined ? `exited with code ${code}` : `killed by ${signal}`
}

export interface StatusReport {
  readonly child_pid: number | null
  readonly exit_code: number | null
}

/** The status file holds JSON documents of bubblewrap's form, one after another; the last may be half written. */
export function parseStatusReport(text: string): StatusReport {
  return { child_pid: numberOf(text, 'child-pid'), exit_code: numberOf(text, 'exit-code') }
}

function numberOf(text: string, key: string): number | null {
  const found = new RegExp(`"${key}":\\s*(\\d+)\\s*[,}]`).exec(text)?.[1]
  return found === undefined ? null : Number(found)
}
