import type { Settings } from '@svc/context'
import type { AuthorizationRow } from '@svc/db'
import { connectUrl } from '../connectors/urls.ts'

/** A sign-in at a service, without anything that it could be finished with. */
export function presentAuthorization(
  settings: Pick<Settings, 'api_url'>,
  row: AuthorizationRow,
  authorization_url: string | null = null,
) {
  const { authorization_id, connection_id, status, error, issuer } = row
  return {
    ...{ authorization_id, connection_id, status, error, issuer, authorization_url },
    connect_url: connectUrl(settings, row),
    expires_at: row.expires_at.toISOString(),
  }
}
