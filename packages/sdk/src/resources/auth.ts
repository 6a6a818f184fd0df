import type { signIn as routes, sso as ssoRoutes } from '@svc/contract'
import type { Http } from '../http/transport.ts'
import type { RequestOptions } from '../options.ts'
import type {
  ChangePasswordInput,
  ListSsoProvidersQuery,
  MailSent,
  PasswordInput,
  ResetPasswordInput,
  SignedIn,
  SignInUser,
  SignUpInput,
  SsoProviders,
  VerifyOtpInput,
} from '../types.ts'
import { browsers, type Browsers } from './browsers.ts'
import { totp, type Totp } from './totp.ts'

/**
 * Signing in without a browser. A client keeps no sign-in: make another with `session.access_token` as its token, and
 * exchange `refresh_token` before `expires_at`. 429 `over_request_rate_limit` after 30 requests a minute from one address.
 */
export interface Auth {
  /** Mails a code that `verifyOtp` takes with `type: 'signup'`. The answer tells nothing about the address. 422 `weak_password`. */
  signUp(input: SignUpInput, options?: RequestOptions): Promise<MailSent>
  /** 401 `invalid_credentials`, or `totp_required` until `totp_code` is given. */
  signInWithPassword(input: PasswordInput, options?: RequestOptions): Promise<SignedIn>
  /** Mails a code that `verifyOtp` takes with `type: 'magic_link'`. The answer tells nothing about the address. */
  askForMagicLink(email: string, options?: RequestOptions): Promise<MailSent>
  /** The address and the code, or the token of the link; 401 `otp_expired` when it is over or used. */
  verifyOtp(input: VerifyOtpInput, options?: RequestOptions): Promise<SignedIn>
  /** The next pair of tokens. 401 `refresh_token_already_used` ends the whole sign-in. Never repeated. */
  refresh(refresh_token: string, options?: RequestOptions): Promise<SignedIn>
  /** With an address alone asks for a mail; with its code and a new password sets that and signs in. */
  resetPassword(input: ResetPasswordInput, options?: RequestOptions): Promise<MailSent | SignedIn>
  /** Ends this sign-in (`local`, the default), all of yours (`global`), or all but this one (`others`). */
  signOut(scope?: 'local' | 'global' | 'others', options?: RequestOptions): Promise<void>
  user(options?: RequestOptions): Promise<SignInUser>
  /** Ends your other sign-ins. `current_password` is needed where there is one. */
  changePassword(input: ChangePasswordInput, options?: RequestOptions): Promise<SignInUser>
  /**
   * OpenID providers of the operator; a browser opens `url`. With an `email` that of its mail domain comes first, and alone
   * where people of that domain sign in no other way (`enforced`).
   */
  ssoProviders(query?: ListSsoProvidersQuery, options?: RequestOptions): Promise<SsoProviders>
  readonly totp: Totp
  readonly browsers: Browsers
}

export function auth(http: Http): Auth {
  return {
    signUp: (body, options = {}) =>
      http.call<typeof routes.signUp>('POST /v1/auth/signup', { ...options, body }),
    signInWithPassword: (body, options = {}) =>
      http.call<typeof routes.signInWithPassword>('POST /v1/auth/sign-in/password', { ...options, body }),
    askForMagicLink: (email, options = {}) =>
      http.call<typeof routes.askForMagicLink>('POST /v1/auth/sign-in/magic-link', {
        ...options,
        body: { email },
      }),
    verifyOtp: (body, options = {}) =>
      http.call<typeof routes.verifyOtp>('POST /v1/auth/verify-otp', { ...options, body }),
    refresh: (refresh_token, options = {}) =>
      http.call<typeof routes.refreshSignIn>('POST /v1/auth/refresh', {
        ...options,
        body: { refresh_token },
      }),
    resetPassword: (body, options = {}) =>
      http.call<typeof routes.resetPassword>('POST /v1/auth/password/reset', { ...options, body }),
    signOut: (scope = 'local', options = {}) =>
      http.call<typeof routes.signOut>('POST /v1/auth/sign-out', { ...options, body: { scope } }),
    user: async (options = {}) =>
      (await http.call<typeof routes.getAuthUser>('GET /v1/auth/user', options)).user,
    changePassword: async (body, options = {}) =>
      (await http.call<typeof routes.changePassword>('PATCH /v1/auth/user', { ...options, body })).user,
    ssoProviders: (query = {}, options = {}) =>
      http.call<typeof ssoRoutes.listSsoProviders>('GET /v1/auth/sso', { ...options, query }),
    totp: totp(http),
    browsers: browsers(http),
  }
}
