/** SSH, the agent runtime and the daemon: not programs of the agent. */
const blocked = new Set([22, 4096, 8000])

/** Whether the API would show what listens on this port of a sandbox. */
export function isPreviewPort(text: string): boolean {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return port >= 1 && port <= 65_535 && !blocked.has(port)
}
