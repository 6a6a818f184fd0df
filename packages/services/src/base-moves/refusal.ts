import type { MoveRefusal, RefusedOutcome } from '@svc/db'
import { errorCodes, ServiceError } from '@svc/errors'

/** A refusal as the worker writes it down. */
export function outcomeOf({ code, message, details }: ServiceError): MoveRefusal {
  return { code, message, details }
}

/** The same refusal again, to be thrown where the move was asked for. */
export function refusalOf({ code, message, details }: MoveRefusal): ServiceError {
  // Another release may have written a code that this one does not know.
  return new ServiceError(errorCodes.find((known) => known === code) ?? 'conflict', message, details)
}

export function isRefused(outcome: { readonly kind: string }): outcome is RefusedOutcome {
  return outcome.kind === 'refused'
}
