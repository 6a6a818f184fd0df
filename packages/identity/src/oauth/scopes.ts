import { fullScope } from '@svc/context'
import { limits } from '@svc/contract'

export const oauthScopes = [fullScope, 'profile'] as const

/** The lifetime of each thing, in seconds. */
export const oauthLifetimes = {
  access_token: limits.oauthAccessTokenSeconds,
  refresh_token: 30 * 86_400,
  /** A tab that was left open does not stay signed in over night. */
  dashboard_refresh_token: 12 * 3_600,
  code: 300,
  device_code: 600,
  /** Between opening a page of the server and answering it. */
  interaction: 900,
  /** A browser that signed in does not ask again for so long. */
  session: 3_600,
  /** Then the person has to approve again. */
  approval: 365 * 86_400,
} as const
