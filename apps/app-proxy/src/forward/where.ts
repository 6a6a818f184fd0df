/** The address of an instance's front, as node:http is told it. */
export function whereOf(
  url: string,
): { readonly socketPath: string } | { readonly host: string; readonly port: number } {
  const { protocol, hostname, port, pathname } = new URL(url)
  if (protocol === 'unix:') return { socketPath: decodeURIComponent(pathname) }
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) }
}
