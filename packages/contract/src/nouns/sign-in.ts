import { createRoute, z } from '@hono/zod-openapi'
import { body, json, text, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { Code, Email, LinkToken, open, own, Password, signInRefusals, TotpCode } from './sign-in-shape.ts'

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
    ...signInRefusals(403, 422),
  },
})

export const signInWithPassword = createRoute({
  ...open,
  operationId: 'signInWithPassword',
  summary: 'Sign in with an address and a password',
  description:
    'A person with a second factor gives it as well; without it the answer is 401 `totp_required`. 403 `sso_required` for every address of a mail domain whose account has its people come by single sign-on, but for its owners, who give both factors at once.',
  method: 'post',
  path: '/v1/auth/sign-in/password',
  request: {
    body: body(
      z
        .strictObject({ email: Email, password: Password, totp_code: TotpCode.optional() })
        .openapi('SignInWithPassword', { example: examples.signInWithPassword }),
    ),
  },
  responses: { 200: json(SignedIn, 'Signed in'), ...signInRefusals(403) },
})

export const askForMagicLink = createRoute({
  ...open,
  operationId: 'askForMagicLink',
  summary: 'Ask for a code and a link by mail, to sign in without a password',
  description:
    '`POST /v1/auth/verify-otp` with `type` `magic_link` takes what the mail brings. The answer is the same for an unknown address.',
  method: 'post',
  path: '/v1/auth/sign-in/magic-link',
  request: {
    body: body(
      z.strictObject({ email: Email }).openapi('AskForMagicLink', { example: examples.askForMagicLink }),
    ),
  },
  responses: {
    200: json(MailSent, 'If the address is known, a mail is on its way'),
    ...signInRefusals(403),
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
        .union(
          [
            z.strictObject({ type: byMail, ...byCode, ...OptionalTotp }),
            z.strictObject({ type: byMail, ...byLink, ...OptionalTotp }),
            z.strictObject({ type: z.literal('sso'), ...byLink, ...OptionalTotp }),
          ],
          'must be { type, email, token } with the code of the mail, or { type, link_token } with the token of its link',
        )
        .openapi('VerifyOtp', { example: examples.verifyOtp }),
    ),
  },
  responses: { 200: json(SignedIn, 'Signed in'), ...signInRefusals(403, 409) },
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
        .union(
          [
            z.strictObject({ email: Email }),
            z.strictObject({ ...ResetCommon, ...byCode }),
            z.strictObject({ ...ResetCommon, ...byLink }),
          ],
          'must be { email } for a mail, or { password } with { email, token } or { link_token } of that mail',
        )
        .openapi('ResetPassword', { example: examples.resetPassword }),
    ),
  },
  responses: {
    200: json(z.union([MailSent, SignedIn]), 'A mail is on its way if the address is known, or signed in'),
    ...signInRefusals(403, 422),
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
  description: '`current_password` is needed where there is one.',
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
