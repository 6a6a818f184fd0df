import type { gatewayAccess } from '@svc/db'
import type { Dialect } from '@svc/models'
import type { PresumedCaller } from '../door/known-callers.ts'

/** One request to a model, as it came. */
export interface Asked {
  readonly caller: gatewayAccess.GatewayAccess
  /** Set where the caller is only known from an earlier call. */
  readonly presumed: PresumedCaller | null
  readonly dialect: Dialect
  readonly text: string
  readonly search: string
  readonly headers: Headers
  readonly request_id: string
  readonly traceparent: string | undefined
  readonly signal: AbortSignal
}
