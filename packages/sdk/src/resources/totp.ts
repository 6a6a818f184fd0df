import type { twoFactor as routes } from '@svc/contract'
import type { Http } from '../http/transport.ts'
import type { RequestOptions } from '../options.ts'
import type { TotpSecret } from '../types.ts'

/** The second factor of the person who is signed in. */
export interface Totp {
  /** A secret for an authenticator app, shown this once; it counts once confirmed. 409 when there is one already. */
  enrol(input?: { password?: string }, options?: RequestOptions): Promise<TotpSecret>
  /** Turns it on; the recovery codes are in this answer and never again. Your other sign-ins end. */
  confirm(code: string, options?: RequestOptions): Promise<string[]>
  disable(code: string, options?: RequestOptions): Promise<void>
}

const base = '/v1/auth/totp'

export function totp(http: Http): Totp {
  return {
    enrol: (body = {}, options = {}) =>
      http.call<typeof routes.enrolTotp>(`POST ${base}`, { ...options, body }),
    confirm: async (code, options = {}) => {
      const call = { ...options, body: { code } }
      return (await http.call<typeof routes.confirmTotp>(`POST ${base}/confirm`, call)).recovery_codes
    },
    disable: (code, options = {}) =>
      http.call<typeof routes.disableTotp>(`POST ${base}/disable`, { ...options, body: { code } }),
  }
}
