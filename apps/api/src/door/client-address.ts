import type { Context } from 'hono'
import { clientAddress, type IsProxy, noProxy } from '@svc/platform/env'
import type { AppEnv } from '../parts.ts'

/** The client's address for the framework: of the connection, or of the request on whose behalf this one is made. */
export function addressOf(c: Context<AppEnv>, isProxy: IsProxy = noProxy): string | null {
  const { incoming, client_address = null } = c.env ?? {}
  return incoming ? clientAddress(incoming, isProxy) : client_address
}
