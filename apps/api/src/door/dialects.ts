import { errorBody, type ServiceError } from '@svc/errors'
import { scimError, scimRefusal, scimType } from '../scim/error.ts'

/** A protocol's way to write refusals. */
export interface Dialect {
  /** The headers of every refusal, in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The challenge that a 401 carries; null where no header would help. */
  readonly challenge: string | null
  refusal(refusal: ServiceError): string
  /** The answer to an error that is no refusal: its text is in the log. */
  readonly defect: string
}

const unexpected = 'Something went wrong; report it with the X-Request-Id'
const asJson = { 'content-type': 'application/json' } as const

/** The platform's own. The refusal of a limit on requests has a shape of its own. */
export const json: Dialect = {
  headers: asJson,
  challenge: 'Bearer',
  refusal(refusal) {
    const { code, message, details } = refusal
    if (code !== 'rate_limit_exceeded') return JSON.stringify(errorBody(refusal))
    return JSON.stringify({ error: code, message, retry_after_seconds: details.retry_after })
  },
  defect: JSON.stringify({ error: true, message: unexpected, status: 500 }),
}

/** RFC 6749 section 5.2, of the sign-in and the authorization server. */
export const oauth: Dialect = {
  headers: asJson,
  challenge: 'Bearer',
  refusal: ({ code, message }) => JSON.stringify({ error: code, error_description: message }),
  defect: JSON.stringify({ error: 'server_error', error_description: unexpected }),
}

/** RFC 7644 section 3.12. */
export const scim: Dialect = {
  headers: { 'content-type': scimType['Content-Type'] },
  challenge: 'Bearer',
  refusal: (refusal) => JSON.stringify(scimRefusal(refusal)),
  defect: JSON.stringify(scimError(500, unexpected)),
}

/** git shows a plain text to its user, line by line, behind `remote:`. */
export const git: Dialect = {
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' },
  challenge: 'Basic realm="svc"',
  refusal: ({ message }) => `${message}\n`,
  defect: `${unexpected}\n`,
}

/** The dialect of the framework's answers at a path. */
export function dialectOf(path: string): Dialect {
  if (path.startsWith('/scim/')) return scim
  return path.startsWith('/v1/auth/') ? oauth : json
}
