import type { Settings } from '@svc/context'

/** The address that issuers send browsers back to. */
export const redirectUri = ({ api_url }: Pick<Settings, 'api_url'>): string =>
  new URL('/v1/connectors/oauth/callback', api_url).href

/** Places of what is sealed: no other row opens it. */
export const beganName = (authorization_id: string): string => `authorization/${authorization_id}/began`
export const codeName = (authorization_id: string): string => `authorization/${authorization_id}/code`
export const clientSecretName = (issuer: string): string => `oauth-client/${issuer}`

/** The answer that a browser came back with. */
export interface Returned {
  readonly code: string
  /** RFC 9207; null where the issuer did not say it. */
  readonly iss: string | null
}
