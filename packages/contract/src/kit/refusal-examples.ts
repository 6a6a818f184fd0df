/** Refusals as the reference shows them, by status. */
export const refusalExamples = {
  400: {
    error: true,
    message: 'name: must not be empty',
    status: 400,
    code: 'invalid_request',
    issues: [{ path: 'name', message: 'must not be empty' }],
  },
  401: {
    error: true,
    message: 'This needs a token: Authorization: Bearer <token>',
    status: 401,
    code: 'unauthorized',
  },
  402: {
    error: true,
    message:
      'The plan of this account (free) does not hold rbac; it is part of team, self_host, enterprise: ask the operator of the platform for another plan',
    status: 402,
    code: 'entitlement_required',
    entitlement: 'rbac',
    plans: ['team', 'self_host', 'enterprise'],
    account_id: '8c1f0a4e-6a57-4c1e-9d0a-2f7a5b1c3d4e',
    help_path: '/dashboard/accounts/8c1f0a4e-6a57-4c1e-9d0a-2f7a5b1c3d4e/settings',
  },
  403: {
    error: true,
    message: 'This needs project.write, which the role viewer does not hold',
    status: 403,
    code: 'forbidden',
    action: 'project.write',
  },
  404: {
    error: true,
    message: 'There is no such project; list those that you reach',
    status: 404,
    code: 'not_found',
  },
  409: { error: true, message: 'It is not in a state for this any more', status: 409, code: 'conflict' },
  410: {
    error: true,
    message: 'Events after 12 are kept no more; go on from 480, and read anew what you keep of the platform',
    status: 410,
    code: 'events_expired',
    first_sequence: 481,
  },
  413: { error: true, message: 'The body is too large', status: 413, code: 'payload_too_large' },
  415: {
    error: true,
    message: 'The body must be JSON; send it with Content-Type: application/json',
    status: 415,
    code: 'unsupported_media_type',
  },
  422: {
    error: true,
    message: 'The manifest is not valid: triggers[0].prompt: is required',
    status: 422,
    code: 'MANIFEST_INVALID',
    issues: [{ path: 'triggers[0].prompt', message: 'is required', severity: 'error', line: 12, column: 5 }],
  },
  429: {
    error: 'rate_limit_exceeded',
    message: 'Too many requests with this token; try again in 12 s',
    retry_after_seconds: 12,
  },
  500: { error: true, message: 'Something went wrong; report it with the X-Request-Id', status: 500 },
  502: { error: true, message: 'The sandbox did not answer', status: 502, code: 'sandbox_unreachable' },
  503: {
    error: true,
    message: 'The platform cannot answer at the moment; try again in a few seconds',
    status: 503,
    code: 'temporarily_unavailable',
  },
} as const

/** The same of the sign-in, which has a shape of its own. */
export const signInExamples = {
  400: { error: 'invalid_request', error_description: 'email: must be an email address' },
  401: { error: 'invalid_credentials', error_description: 'The address or the password is wrong' },
  403: { error: 'forbidden', error_description: 'This needs a sign-in' },
  404: { error: 'not_found', error_description: 'There is no such provider; choose one on the sign-in page' },
  409: { error: 'conflict', error_description: 'It was used already' },
  413: { error: 'payload_too_large', error_description: 'The body is too large' },
  415: {
    error: 'unsupported_media_type',
    error_description: 'The body must be JSON; send it with Content-Type: application/json',
  },
  422: { error: 'weak_password', error_description: 'The password has to have at least ten characters' },
  429: {
    error: 'over_request_rate_limit',
    error_description: 'Too many sign-in requests from this address; try again in 30 s',
  },
  500: {
    error: 'server_error',
    error_description: 'Something went wrong; report it with the X-Request-Id',
  },
  503: {
    error: 'temporarily_unavailable',
    error_description: 'The platform cannot answer at the moment; try again in a few seconds',
  },
} as const
