import type { gatewayAccess } from '@svc/db'
import type { Dialect } from '@svc/models'

/** One request to a model, as it came. */
export interface Asked {
  readonly caller: gatewayAccess.GatewayAccess
  readonly dialect: Dialect
  readonly text: string
  readonly search: string
  readonly headers: Headers
  readonly request_id: string
  readonly traceparent: string | undefined
  readonly signal: AbortSignal
}
