import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from './access.ts'
import { body, json, refusals, text, Timestamp } from './common.ts'
import { examples } from './examples.ts'
import { AccountId } from './parameters.ts'
import { signInExamples } from './refusal-examples.ts'

const tags = ['Sign-in']
const open = { tags, ...reachedBy({ public: true }) }
const own = { tags, ...reachedBy({ any_person: true }) }

const Email = z.email().max(254)
/** Compared, never stored as it is; the bound keeps the hashing of it short. */
const Password = text(256).min(1)
const Code = text(64).min(1).openapi({ description: 'Eight digits; spaces do not count' })
const TotpCode = text(64).min(1).openapi({
  description: 'Of whoever has a second factor: a code of the authenticator app, or a recovery code',
})
const LinkToken = text(255).min(1).openapi({ description: 'What stands behind `token=` in the link' })

export const SignInError = z
  .object({
    error: z.string().openapi({ description: 'Stable machine code' }),
    error_description: z.string(),
  })
  .openapi('SignInError')

const words = {
  400: 'Invalid request',
  401: 'Not signed in: read `error`',
  403: 'The credential does not allow this',
  404: 'Missing',
  409: 'Conflict with the current state',
  413: 'The body is too large',
  415: 'The body is not application/json',
  422: 'The password is weak',
  429: 'Too many requests: wait `Retry-After` seconds',
  500: 'A defect: report it with `X-Request-Id`',
  503: 'Temporary: retry after `Retry-After` seconds',
} as const

type Status = keyof typeof words
type Refusals<S extends Status> = {
  [K in S]: {
    description: string
    content: { 'application/json': { schema: typeof SignInError; example: object } }
  }
}

/** The refusals of the sign-in have a shape of their own; 400, 401, 413, 415, 429, 500 and 503 come with every route. */
function signInRefusals<S extends Status>(
  ...more: S[]
): Refusals<S | 400 | 401 | 413 | 415 | 429 | 500 | 503> {
  const all = [...new Set<Status>([...more, 400, 401, 413, 415, 429, 500, 503])].sort()
  const entries = all.map((status) => [
    status,
    {
      description: words[status],
      content: { 'application/json': { schema: SignInError, example: signInExamples[status] } },
    },
  ])
  return Object.fromEntries(entries) as Refusals<S | 400 | 401 | 413 | 415 | 429 | 500 | 503>
}

export const SignInUser = z
  .object({
    user_id: z.uuid(),
    email: z.string(),
    name: z.string(),
    email_verified: z.boolean(),
    two_factor: z.boolean(),
    created_at: Timestamp,
  })
  .openapi('SignInUser')

export const SignInSession = z
  .object({
    access_token: z.string().openapi({ description: 'Bearer token that acts as the person' }),
    refresh_token: z.string().openapi({ description: 'Exchanged once, for the next pair' }),
    token_type: z.literal('bearer'),
    expires_in: z.int().openapi({ description: 'Seconds that the access token holds' }),
    expires_at: z.int().openapi({ description: 'Its end, in seconds since 1970' }),
  })
  .openapi('SignInSession')

const SignedIn = z.object({ session: SignInSession, user: SignInUser }).openapi('SignedIn')
const MailSent = z.object({ session: z.null(), user: z.null() }).openapi('MailSent')
const OwnUser = z.object({ user: SignInUser }).openapi('OwnUser')

const byCode = { email: Email, token: Code }
const byLink = { link_token: LinkToken }

export const signUp = createRoute({
  ...open,
  operationId: 'signUp',
  summary: 'Sign up with an address and a password',
  description:
    'Mails a code and a link that confirm the address; `POST /v1/auth/verify-otp` with `type` `signup` ends the sign-up. The answer is the same for an address that is known already or may not sign up.',
  method: 'post',
  path: '/v1/auth/signup',
  request: {
    body: body(
      z
        .strictObject({ email: Email, password: Password, name: text(100).min(1).optional() })
        .openapi('SignUp', { example: examples.signUp }),
    ),
  },
  responses: {
    200: json(MailSent, 'If the address may sign up, a mail is on its way'),
    ...signInRefusals(422),
  },
})

export const signInWithPassword = createRoute({
  ...open,
  operationId: 'signInWithPassword',
  summary: 'Sign in with an address and a password',
  description: 'Whoever has a second factor gives it as well; without it the answer is 401 `totp_required`.',
  method: 'post',
  path: '/v1/auth/sign-in/password',
  request: {
    body: body(
      z
        .strictObject({ email: Email, password: Password, totp_code: TotpCode.optional() })
        .openapi('SignInWithPassword', { example: examples.signInWithPassword }),
    ),
  },
  responses: { 200: json(SignedIn, 'Signed in'), ...signInRefusals() },
})

export const askForMagicLink = createRoute({
  ...open,
  operationId: 'askForMagicLink',
  summary: 'Ask for a code and a link by mail, to sign in without a password',
  description:
    '`POST /v1/auth/verify-otp` with `type` `magic_link` takes what the mail brings. The answer is the same for an address that nobody has.',
  method: 'post',
  path: '/v1/auth/sign-in/magic-link',
  request: {
    body: body(
      z.strictObject({ email: Email }).openapi('AskForMagicLink', { example: examples.askForMagicLink }),
    ),
  },
  responses: {
    200: json(MailSent, 'If the address belongs to somebody, a mail is on its way'),
    ...signInRefusals(),
  },
})

const OptionalTotp = { totp_code: TotpCode.optional() }
const byMail = z.enum(['signup', 'magic_link'])

export const verifyOtp = createRoute({
  ...open,
  operationId: 'verifyOtp',
  summary: 'Sign in with what a mail brought',
  description:
    'The address and the code, or the token of the link. A code allows five attempts in ten minutes.',
  method: 'post',
  path: '/v1/auth/verify-otp',
  request: {
    body: body(
      z
        .union([
          z.strictObject({ type: byMail, ...byCode, ...OptionalTotp }),
          z.strictObject({ type: byMail, ...byLink, ...OptionalTotp }),
          z.strictObject({ type: z.literal('sso'), ...byLink, ...OptionalTotp }),
        ])
        .openapi('VerifyOtp', { example: examples.verifyOtp }),
    ),
  },
  responses: { 200: json(SignedIn, 'Signed in'), ...signInRefusals(409) },
})

export const refreshSignIn = createRoute({
  ...open,
  operationId: 'refreshSignIn',
  summary: 'Exchange a refresh token for the next pair of tokens',
  description: 'Each works once. One that comes a second time ends the whole sign-in.',
  method: 'post',
  path: '/v1/auth/refresh',
  request: {
    body: body(
      z
        .strictObject({ refresh_token: text(255).min(1) })
        .openapi('RefreshSignIn', { example: examples.refreshSignIn }),
    ),
  },
  responses: { 200: json(SignedIn, 'The next pair'), ...signInRefusals() },
})

const Provider = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be the name of a provider')
  .openapi({ description: 'The name of a provider, as the list has it' })
const SsoParams = z.object({ provider: Provider })

export const listSsoProviders = createRoute({
  ...open,
  operationId: 'listSsoProviders',
  summary: 'Who else signs people in',
  description: 'Those that the operator configured; none is an empty list.',
  method: 'get',
  path: '/v1/auth/sso',
  responses: {
    200: json(
      z
        .object({ providers: z.array(z.object({ name: z.string(), url: z.string() })) })
        .openapi('SsoProviders'),
      'The OpenID providers; a browser opens `url`',
    ),
    ...signInRefusals(),
  },
})

export const beginSso = createRoute({
  ...open,
  operationId: 'beginSso',
  summary: 'Send a browser to a provider to sign in there',
  description: 'For a browser: the answer is a redirect, with a cookie that the way back is checked against.',
  method: 'get',
  path: '/v1/auth/sso/{provider}',
  request: { params: SsoParams },
  responses: { 302: { description: 'To the provider, with PKCE, state and nonce' }, ...signInRefusals(404) },
})

export const finishSso = createRoute({
  ...open,
  operationId: 'finishSso',
  summary: 'Where a provider sends the browser back to',
  description:
    'The `link_token` is exchanged at `POST /v1/auth/verify-otp` with `type` `sso`. With `SVC_SIGN_IN_URL` the browser is sent there instead, with it behind `#`.',
  method: 'get',
  path: '/v1/auth/sso/{provider}/callback',
  request: { params: SsoParams },
  responses: {
    200: json(
      z.object({ type: z.literal('sso'), link_token: z.string() }).openapi('SsoDone'),
      'Signed in there',
    ),
    303: { description: 'To the page of the operator' },
    ...signInRefusals(403, 404, 409),
  },
})

const ResetCommon = { password: Password, totp_code: TotpCode.optional() }

export const resetPassword = createRoute({
  ...open,
  operationId: 'resetPassword',
  summary: 'Ask for a mail to set a new password with, or set it',
  description:
    'With an address alone, mails a code and a link. With the code or the token of the link and a new password, sets it, ends every sign-in of the person and signs them in.',
  method: 'post',
  path: '/v1/auth/password/reset',
  request: {
    body: body(
      z
        .union([
          z.strictObject({ email: Email }),
          z.strictObject({ ...ResetCommon, ...byCode }),
          z.strictObject({ ...ResetCommon, ...byLink }),
        ])
        .openapi('ResetPassword', { example: examples.resetPassword }),
    ),
  },
  responses: {
    200: json(
      z.union([MailSent, SignedIn]),
      'A mail is on its way if the address belongs to somebody, or signed in',
    ),
    ...signInRefusals(422),
  },
})

export const signOut = createRoute({
  ...own,
  operationId: 'signOut',
  summary: 'End this sign-in, all of yours, or all but this one',
  description:
    '`local` ends the sign-in of this token, `global` all of yours, `others` all but this one. Their tokens are of no use from the next request on.',
  method: 'post',
  path: '/v1/auth/sign-out',
  request: {
    body: body(
      z
        .strictObject({ scope: z.enum(['local', 'global', 'others']).default('local') })
        .openapi('SignOut', { example: examples.signOut }),
      false,
    ),
  },
  responses: { 204: { description: 'Ended' }, ...signInRefusals(403) },
})

export const getAuthUser = createRoute({
  ...own,
  operationId: 'getAuthUser',
  summary: 'Who is signed in',
  description: 'The person whom the token acts as, and whether they have a second factor.',
  method: 'get',
  path: '/v1/auth/user',
  responses: { 200: json(OwnUser, 'The person'), ...signInRefusals(403, 404) },
})

export const changePassword = createRoute({
  ...own,
  operationId: 'changePassword',
  summary: 'Set your password; your other sign-ins end',
  description: '`current_password` is needed by whoever has one.',
  method: 'patch',
  path: '/v1/auth/user',
  request: {
    body: body(
      z
        .strictObject({ password: Password, current_password: Password.optional() })
        .openapi('ChangePassword', { example: examples.changePassword }),
    ),
  },
  responses: { 200: json(OwnUser, 'The person'), ...signInRefusals(403, 404, 422) },
})

export const enrolTotp = createRoute({
  ...own,
  operationId: 'enrolTotp',
  summary: 'Get a secret for an authenticator app',
  description:
    'Shown this once, to a sign-in and with the password of whoever has one. It counts once confirmed.',
  method: 'post',
  path: '/v1/auth/totp',
  request: {
    body: body(
      z.strictObject({ password: Password.optional() }).openapi('EnrolTotp', { example: examples.enrolTotp }),
      false,
    ),
  },
  responses: {
    200: json(z.object({ secret: z.string(), otpauth_uri: z.string() }).openapi('TotpSecret'), 'The secret'),
    ...signInRefusals(403, 404, 409),
  },
})

const TotpBody = z.strictObject({ code: TotpCode }).openapi('TotpCode', { example: examples.totpCode })

export const confirmTotp = createRoute({
  ...own,
  operationId: 'confirmTotp',
  summary: 'Turn two-factor on with a first code; your other sign-ins end',
  description: 'It counts from then on. The recovery codes are in this answer and never again.',
  method: 'post',
  path: '/v1/auth/totp/confirm',
  request: { body: body(TotpBody) },
  responses: {
    200: json(
      z.object({ recovery_codes: z.array(z.string()) }).openapi('RecoveryCodes'),
      'Codes for a lost device, each for one sign-in, shown this once',
    ),
    ...signInRefusals(403, 409),
  },
})

export const disableTotp = createRoute({
  ...own,
  operationId: 'disableTotp',
  summary: 'Turn two-factor off with a code',
  description: 'A code of the authenticator app, or a recovery code.',
  method: 'post',
  path: '/v1/auth/totp/disable',
  request: { body: body(TotpBody) },
  responses: { 204: { description: 'Off' }, ...signInRefusals(403, 404, 409) },
})

const AccountParams = z.object({ account_id: AccountId })
const rules = '/v1/accounts/{account_id}/sign-in-rules'

export const SignInRules = z
  .object({ mfa_required: z.boolean() })
  .openapi('SignInRules', { example: examples.setSignInRules })

export const getSignInRules = createRoute({
  tags: ['Accounts and tokens'],
  ...reachedBy({ account_role: 'member' }),
  operationId: 'getSignInRules',
  summary: 'What the account asks of sign-ins',
  description: 'For every member of the account.',
  method: 'get',
  path: rules,
  request: { params: AccountParams },
  responses: { 200: json(SignInRules, 'The rules'), ...refusals(400, 403, 404) },
})

export const setSignInRules = createRoute({
  tags: ['Accounts and tokens'],
  ...reachedBy({ account_role: 'admin' }),
  operationId: 'setSignInRules',
  summary: 'Ask for a second factor of every sign-in',
  description:
    'A sign-in that lacks it gets 403 `account_mfa_required` from the next request on. Whoever asks for it has it turned on first (409).',
  method: 'put',
  path: rules,
  request: { params: AccountParams, body: body(SignInRules) },
  responses: { 200: json(SignInRules, 'The rules'), ...refusals(400, 403, 404, 409, 415) },
})
