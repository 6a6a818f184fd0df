import { isLoopback } from '@svc/facts'
import type { Library } from './library.ts'

const maxAddresses = 20
const maxLength = 2_000

/**
 * The redirect addresses that the library lets through and no app should register: answers in the clear over a
 * network, and endless lists.
 */
export function redirectProblem(uris: unknown): string | null {
  if (!Array.isArray(uris)) return null
  if (uris.length > maxAddresses) return `redirect_uris holds more than ${maxAddresses} addresses`
  for (const uri of uris) {
    if (typeof uri !== 'string' || !URL.canParse(uri)) return 'redirect_uris must only contain URLs'
    if (uri.length > maxLength) return 'an address of redirect_uris is too long'
    const { protocol, hostname, username, password } = new URL(uri)
    if (username !== '' || password !== '') return 'an address of redirect_uris must carry no credential'
    if (protocol === 'http:' && !isLoopback(hostname))
      return 'redirect_uris must be https, http on this computer (127.0.0.1), or a scheme of the app'
  }
  return null
}

export function checkRedirects(metadata: object, errors: Library['errors']): void {
  const problem = redirectProblem('redirect_uris' in metadata ? metadata.redirect_uris : undefined)
  if (problem !== null) throw new errors.InvalidRedirectUri(problem)
}
