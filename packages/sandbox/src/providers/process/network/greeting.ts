import { type Authority, parseAuthority } from '../../../network/authority.ts'

/** The first line of a connection to the relay: whose it is, and where it goes unless it speaks to the proxy. */
export interface Greeting {
  readonly external_id: string
  readonly target: Authority | 'proxy'
}

export function parseGreeting(line: string): Greeting | null {
  const [external_id = '', word = '', ...rest] = line.split(' ')
  if (rest.length > 0) return null
  const target = word === 'proxy' ? word : parseAuthority(word)
  return target === null ? null : { external_id, target }
}
