/** SSH, the agent runtime and the daemon. */
const reserved: readonly number[] = [22, 4096, 8000]

/**
 * True when a preview shows the server on this port of a sandbox: any from 1 to 65535 that is a program of the agent's.
 */
export function isPreviewPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65_535 && !reserved.includes(port)
}
