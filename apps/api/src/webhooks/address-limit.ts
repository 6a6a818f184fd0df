import type { IncomingMessage } from 'node:http'
import { clientAddress, noProxy } from '../middleware/client-address.ts'
import { limitedBody } from '../middleware/rate-limit.ts'
import type { ApiParts } from '../parts.ts'
import { sharedRateLimit } from '../rate-limit/shared.ts'
import type { Answer } from './answer.ts'

export type Limited = (req: IncomingMessage, work: () => Promise<Answer>) => Promise<Answer>

/** Counts with the framework's routes: requests from one address, before anybody asks who sends them. */
export function addressLimit({ db, rate_limits, is_proxy = noProxy }: ApiParts): Limited {
  const points = rate_limits?.per_address ?? null
  if (points === null) return (_, work) => work()
  const limit = sharedRateLimit(db, { name: 'address', points })
  return async (req, work) => {
    const address = clientAddress(req, is_proxy)
    if (address === null) return work()
    const verdict = await limit(address)
    const counted = lowerCased(verdict.headers)
    if (!verdict.allowed) {
      const headers = { ...counted, 'retry-after': String(verdict.retry_after) }
      return { status: 429, body: limitedBody('This address', verdict), headers }
    }
    const answer = await work()
    return { ...answer, headers: { ...answer.headers, ...counted } }
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
