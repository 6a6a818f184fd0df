import { isLoopback } from '@svc/facts'

/**
 * True when a browser may have sent this from a page of ours. A foreign page could point its own name at this
 * machine, and its Origin gives it away. Programs send none.
 */
export function isOwnOrigin(origin: string | undefined, api_url: string): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const { origin: given, hostname } = new URL(origin)
  return given === new URL(api_url).origin || isLoopback(hostname)
}
