import type { TokenRow } from '@svc/db'
import { ServiceError } from '@svc/errors'

/** A credential as lists show it; its secret is not stored. */
export function presentToken(row: TokenRow) {
  return {
    token_id: row.token_id,
    name: row.name,
    kind: presentKind(row.kind),
    prefix: row.display_prefix,
    project_id: row.project_id,
    expires_at: row.expires_at,
    last_used_at: row.last_used_at,
    created_at: row.created_at,
  }
}

function presentKind(kind: TokenRow['kind']) {
  if (kind === 'user' || kind === 'project' || kind === 'gateway' || kind === 'service' || kind === 'scim')
    return kind
  throw new Error(`A credential of kind ${kind} is not shown`)
}

export function unknownToken(): ServiceError {
  return new ServiceError('not_found', 'There is no such token; list your tokens')
}
