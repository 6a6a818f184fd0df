import { Resolver } from 'node:dns/promises'
import { ServiceError } from '@svc/errors'

/** The texts that stand at a name in the DNS, each as one; none is an empty list. Throws temporarily_unavailable. */
export type TxtLookup = (name: string) => Promise<readonly string[]>

const timeoutMs = 2_500
const tries = 2

/** Asks these name servers, `address` or `address:port`, or those of the machine. */
export function createTxtLookup(servers?: readonly string[]): TxtLookup {
  const resolver = new Resolver({ timeout: timeoutMs, tries })
  if (servers !== undefined) resolver.setServers(servers)
  return async (name) => {
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
    } catch (cause) {
      if (isAbsent(cause)) return []
      const message = `The name servers did not answer for ${name}; try again in a moment`
      throw new ServiceError('temporarily_unavailable', message, { retry_after: 5 }, { cause })
    }
  }
}

/** There is no such name, or no text at it. */
function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOTFOUND', 'ENODATA'].includes(String(error.code))
}
