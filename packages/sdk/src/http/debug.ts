import type { ConnectionError } from '../errors.ts'
import type { DebugEvent } from '../options.ts'
import type { HttpRequest } from './transport.ts'

/** The reports of one attempt to the caller's debug hook. */
export interface AttemptWatch {
  answered(status: number, request_id: string | null): void
  failed(error: ConnectionError): void
}

/** Tells `hook` of an attempt that begins now; an error of the hook changes nothing for the call. */
export function watchAttempt(
  hook: ((event: DebugEvent) => void) | undefined,
  url: string,
  { method }: HttpRequest,
  attempt: number,
): AttemptWatch {
  if (hook === undefined) return { answered: () => undefined, failed: () => undefined }
  const emit = quietly(hook)
  const begun = Date.now()
  const common = { method, url, attempt }
  emit({ kind: 'request', ...common })
  return {
    answered: (status, request_id) =>
      emit({ kind: 'response', ...common, status, request_id, duration_ms: Date.now() - begun }),
    failed: (error) => emit({ kind: 'failure', ...common, error, duration_ms: Date.now() - begun }),
  }
}

export function quietly(hook: (event: DebugEvent) => void): (event: DebugEvent) => void {
  return (event) => {
    try {
      hook(event)
    } catch {
      // A logger that fails is no reason to lose the answer to a write.
    }
  }
}
