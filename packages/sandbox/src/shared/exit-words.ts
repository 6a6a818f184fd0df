import { constants } from 'node:os'

const signalNames = new Map<number, string>(
  Object.entries(constants.signals).map(([name, number]) => [number, name]),
)

/** Shells and bubblewrap report a death by signal as 128 and its number. */
export function exitWords(code: number): string {
  const signal = code > 128 ? signalNames.get(code - 128) : undefined
  return signal === undefined ? `exited with code ${code}` : `killed by ${signal}`
}
