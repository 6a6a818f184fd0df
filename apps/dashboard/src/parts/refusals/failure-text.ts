import { ApiError, ConnectionError } from '@svc/sdk'

export interface FailureText {
  readonly message: string
  /** The details of the answer beside its message: fields, conflicts, issues of a manifest. */
  readonly points: readonly string[]
  readonly code: string | null
  readonly request_id: string | null
  /** The page where it is settled. */
  readonly help: { readonly path: string; readonly label: string } | null
}

const away = 'The platform does not answer. What you wrote is kept here; try again in a moment.'

/** An error in the words of the side that refused. An address helps no reader, so none is shown. */
export function failureText(error: unknown): FailureText {
  if (!(error instanceof ApiError)) {
    const message =
      error instanceof ConnectionError ? away : error instanceof Error ? error.message : String(error)
    return { message, points: [], code: null, request_id: null, help: null }
  }
  const { conflicts } = error.details
  const points = [
    ...error.issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)),
    ...(Array.isArray(conflicts) ? conflicts.map((path) => `conflict in ${String(path)}`) : []),
  ]
  const { message, code, request_id } = error
  return { message, points, code, request_id, help: helpOf(error) }
}

function helpOf({ code, details: { help_path } }: ApiError): FailureText['help'] {
  if (typeof help_path !== 'string' || !help_path.startsWith('/dashboard/')) return null
  return { path: help_path, label: code === 'budget_exceeded' ? 'See the budgets' : 'See plan and credit' }
}
