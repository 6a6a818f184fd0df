import { matchesEtag } from '@svc/context'
import { ServiceError } from '@svc/errors'

/** The version of the resource that a caller expects, as `If-Match`. */
export interface Precondition {
  readonly if_match?: string | undefined
}

/** Throws `precondition_failed` when the resource was changed since the caller read it. */
export function requireMatch({ if_match }: Precondition, etag: string): void {
  if (if_match === undefined || matchesEtag(if_match, etag)) return
  throw new ServiceError('precondition_failed', 'The resource has changed since; read it and try again')
}
