export const daemonPort = 8000
const runtimePort = 4096
const sshPort = 22

export function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65_535
}

/** True for a port that no caller reaches, by any route. */
export function isNeverProxied(port: number): boolean {
  return port === sshPort || port === runtimePort
}
