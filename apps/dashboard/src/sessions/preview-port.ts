import { reservedPorts } from '@svc/sdk'

/** Whether the API would show what listens on this port of a sandbox. */
export function isPreviewPort(text: string): boolean {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return port >= 1 && port <= 65_535 && !reservedPorts.includes(port)
}
