import * as oauth from 'oauth4webapi'
import { OperationError } from '../failures.ts'

/** The platform's authorization server, and this command as a client of it. */
export interface LoginServer {
  readonly server: oauth.AuthorizationServer
  readonly client: oauth.Client
  /** Addresses without TLS are those that a person chose for a host: their own machine, mostly. */
  readonly options: { readonly [oauth.allowInsecureRequests]: boolean }
}

export const scope = 'svc'

export async function findLoginServer(api_url: string): Promise<LoginServer> {
  const issuer = new URL(api_url.replace(/\/v1$/, ''))
  const options = { [oauth.allowInsecureRequests]: issuer.protocol === 'http:' }
  const response = await oauth
    .discoveryRequest(issuer, { ...options, algorithm: 'oauth2' })
    .catch((cause: unknown) => {
      throw new OperationError(`${api_url} does not answer`, 'check the address and that the platform runs', {
        cause,
      })
    })
  try {
    const server = await oauth.processDiscoveryResponse(issuer, response)
    return { server, client: { client_id: 'svc-cli' }, options }
  } catch (cause) {
    throw new OperationError(
      `${issuer.origin} offers no login by browser at this address`,
      'use the public address of the platform, or log in with `svc login --token <pat>`',
      { cause },
    )
  }
}
