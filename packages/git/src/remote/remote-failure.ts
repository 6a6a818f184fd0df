import { ServiceError } from '@svc/errors'

const causes: readonly (readonly [pattern: RegExp, text: string])[] = [
  [
    /error: 403|Authentication failed|could not read (Username|Password)|Permission denied|invalid credentials/i,
    'The repository host refused the credential.',
  ],
  [
    /not found|does not exist|does not appear to be a git repository|error: 404/i,
    'There is no repository at this address, or the credential may not see it.',
  ],
  [
    /unable to update url base from redirection|error: 30\d/i,
    'The repository host redirects elsewhere; use the address it redirects to.',
  ],
  [
    /Could not resolve|Failed to connect|Connection (refused|reset|timed out)|timed out|Operation too slow/i,
    'The repository host does not answer.',
  ],
  [/SSL|certificate/i, 'The certificate of the repository host is not trusted.'],
]

/** Temporary by nature: the caller may come again. git's own text stays in the cause, for the log. */
export function unavailable(text: string, cause?: unknown): ServiceError {
  const known = causes.find(([pattern]) => pattern.test(text))?.[1]
  return new ServiceError(
    'git_mirror_unavailable',
    known ?? 'The repository cannot be reached at the moment.',
    { retry_after: 5 },
    { cause: cause ?? new Error(text.trim().slice(0, 2_000)) },
  )
}

/** The host spoke and said no, rather than being out of reach. */
export function isRefusal(stderr: string): boolean {
  return /error: 40[13]|Authentication failed|could not read (Username|Password)|Permission .*denied|Permission denied/i.test(
    stderr,
  )
}
