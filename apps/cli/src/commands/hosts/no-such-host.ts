import { OperationError } from '../../failures.ts'

/** The refusal of a host that was not added. */
export function noSuchHost(name: string): OperationError {
  return new OperationError(`there is no host ${name}`, '`svc hosts ls` shows them')
}
