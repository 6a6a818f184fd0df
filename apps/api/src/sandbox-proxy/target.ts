/** Where httpxy connects to: `http://host:port` or `unix:///path`. */
export type Target =
  | { readonly protocol: 'http:'; readonly hostname: string; readonly port: string }
  | { readonly socketPath: string }

export function targetOf(endpoint: string): Target {
  const url = new URL(endpoint)
  if (url.protocol === 'unix:') return { socketPath: decodeURIComponent(url.pathname) }
  if (url.protocol !== 'http:') throw new Error(`A sandbox cannot be reached at ${endpoint}`)
  return { protocol: 'http:', hostname: url.hostname, port: url.port === '' ? '80' : url.port }
}
