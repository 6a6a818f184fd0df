import { z } from 'zod'
import type { ConnectorSettings } from './context.ts'

/** Settings of connectors, of each process that has to do with them. */
export const connectorEnv = {
  /** Minutes for which a sign-in is fresh enough to decide on a call of a connector. */
  SVC_APPROVAL_SIGN_IN_MINUTES: z.coerce.number().int().min(1).max(1440).default(60),
  /** Days for which the ledger of connector calls keeps what ended. */
  SVC_CONNECTOR_CALL_DAYS: z.coerce.number().int().min(7).max(3650).default(90),
}

export function connectorSettings(env: {
  readonly SVC_APPROVAL_SIGN_IN_MINUTES: number
  readonly SVC_CONNECTOR_CALL_DAYS: number
}): ConnectorSettings {
  return {
    approval_sign_in_minutes: env.SVC_APPROVAL_SIGN_IN_MINUTES,
    call_days: env.SVC_CONNECTOR_CALL_DAYS,
  }
}
