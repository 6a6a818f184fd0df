import { randomUUID } from 'node:crypto'

export const requestIdHeader = 'x-request-id'

const accepted = /^[A-Za-z0-9._-]{1,128}$/

/** The caller's own id when it is harmless, else a new one. */
export function requestIdOf(given: string | undefined): string {
  return given !== undefined && accepted.test(given) ? given : randomUUID()
}
