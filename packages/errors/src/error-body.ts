import { helpPath } from './help-path.ts'
import { type ServiceError, statusOf } from './service-error.ts'

export interface ErrorBody {
  readonly error: true | string
  readonly message: string
  readonly status: number
  readonly code?: string
  readonly [detail: string]: unknown
}

/** Refusals of git itself carry their text in `error`; every other body has `true` there. */
const textInError = new Set([
  'MERGE_CONFLICT',
  'CR_UNRELATED_HISTORIES',
  'repository_push_rejected',
  'git_mirror_unavailable',
])

/** The one JSON body of a refusal, on every surface. */
export function errorBody(error: ServiceError): ErrorBody {
  const { retry_after: _, rate_limit: __, ...details } = error.details
  const own = {
    error: textInError.has(error.code) ? error.message : (true as const),
    message: error.message,
    status: statusOf(error.code),
    code: error.code,
  }
  // People read this as well: its kind comes first. A detail never takes the place of one of these.
  const help_path = helpPath(error)
  return { ...own, ...details, ...(help_path === null ? {} : { help_path }), ...own }
}
