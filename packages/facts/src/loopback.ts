/**
 * True for a host that is this machine itself, as a URL or an address names it: `localhost`, `127.0.0.0/8`, `::1`.
 * Names below `localhost` are not it: previews have them, whose pages are an agent's.
 */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || isLoopbackAddress(host)
}

export function isLoopbackAddress(host: string): boolean {
  return host === '::1' || host === '[::1]' || ipv4.test(host)
}

/** True for a name that browsers and resolvers take for this machine: `localhost` and each below it. */
export function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

const byte = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
const ipv4 = new RegExp(`^127(?:\\.${byte}){3}$`)
