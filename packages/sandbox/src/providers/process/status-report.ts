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
