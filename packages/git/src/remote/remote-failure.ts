import { ServiceError } from '@svc/errors'

/**
 * The trouble with a remote, by what a caller can do about it: the first three stay until a person corrects the
 * connection.
 */
export type RemoteTrouble =
  'credential_refused' | 'repository_not_found' | 'redirected' | 'unreachable' | 'untrusted_certificate'

const causes: readonly (readonly [pattern: RegExp, reason: RemoteTrouble, text: string])[] = [
  [
    /error: 40[13]|Authentication failed|could not read (Username|Password)|Permission denied|invalid credentials/i,
    'credential_refused',
    'The repository host refused the credential.',
  ],
  [
    /not found|does not exist|does not appear to be a git repository|error: 404/i,
    'repository_not_found',
    'There is no repository at this address, or the credential may not see it.',
  ],
  [
    /unable to update url base from redirection|error: 30\d/i,
    'redirected',
    'The repository host redirects elsewhere; use the address it redirects to.',
  ],
  [
    /Could not resolve|Failed to connect|Connection (refused|reset|timed out)|timed out|Operation too slow/i,
    'unreachable',
    'The repository host does not answer.',
  ],
  [/SSL|certificate/i, 'untrusted_certificate', 'The certificate of the repository host is not trusted.'],
]

/** The caller may come again; `reason` names the trouble. git's own text stays in the cause, for the log. */
export function unavailable(text: string, cause?: unknown): ServiceError {
  const [, reason, message] = causes.find(([pattern]) => pattern.test(text)) ?? []
  return new ServiceError(
    'git_mirror_unavailable',
    message ?? 'The repository cannot be reached at the moment; try again later.',
    { retry_after: 5, ...(reason === undefined ? {} : { reason }) },
    { cause: cause ?? new Error(text.trim().slice(0, 2_000)) },
  )
}

/** The host spoke and said no, rather than being out of reach. */
export function isRefusal(stderr: string): boolean {
  return /error: 40[13]|Authentication failed|could not read (Username|Password)|Permission .*denied|Permission denied/i.test(
    stderr,
  )
}
