import type { OAuthServer, OAuthTokens } from '@svc/upstream'

/** The credential of a connection that a person signed in for: its tokens, and where they are renewed. */
export interface Grant extends OAuthTokens {
  readonly server: OAuthServer
  readonly client_id: string
}

/** Of the text that a sign-in or a renewal sealed; nothing else writes one. */
export const parseGrant = (text: string): Grant => JSON.parse(text) as Grant

/** The names that people see of it. */
export const grantFields = ({ refresh_token }: Grant): string[] =>
  refresh_token === undefined ? ['access_token'] : ['access_token', 'refresh_token']
